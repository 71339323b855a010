#include "harness/explore/exhaustive.h"

#include <algorithm>
#include <span>
#include <thread>

#include "harness/explore/orphan_probe.h"
#include "harness/explore/state_set.h"

namespace locklab {

namespace {

/// States that are expanded before what they lead to is sorted in. It bounds the memory for that,
/// and must not depend on the number of threads.
constexpr std::size_t kChunk = 1U << 15;
/// So much work is worth the start of threads.
constexpr std::size_t kWorthThreads = 1U << 12;

/// What one thread found on its way, for each shard.
using Outbox = std::array<std::vector<Candidate>, StateSet::kShards>;

class Search {
public:
    Search(const Algorithm& algorithm, const Bounds& bounds, const SearchLimits& limits)
        : limits_(limits),
          rules_(algorithm, bounds),
          probe_(algorithm, rules_),
          states_(rules_.bytes()),
          outboxes_(limits.threads + 1) {}

    /// False if it must begin anew, for it has learnt that the lock looks at a clock.
    bool run(const std::atomic<bool>& stop, const TellProgress& tell, SearchResult& result) {
        const bool told_time = rules_.tells_time();
        begin();
        while (!frontier_.empty() && !is_found()) {
            std::vector<StateId> level = std::move(frontier_);
            frontier_.clear();
            for (std::size_t i = 0; i < level.size() && !is_found(); i += kChunk) {
                const std::size_t count = std::min(kChunk, level.size() - i);
                expand(std::span(level).subspan(i, count));
                sort_in();
                if (rules_.tells_time() != told_time) return false;
                tell({states_.size(), frontier_.size() + level.size() - i, states_.memory()});
                if (stop) result.why_unknown = "interrupted";
                if (states_.memory() > limits_.memory) result.why_unknown = "out of memory";
                if (!result.why_unknown.empty()) return finish(result), true;
            }
            ++result.depth;
        }
        result.exhausted = !is_found();
        return finish(result), true;
    }
    /// What was learnt of clients and server is kept.
    void forget_states() {
        states_ = StateSet(rules_.bytes());
        frontier_.clear();
        orphan_.reset();
    }

private:
    /// Whether there is nothing better to be found.
    bool is_found() const { return violation_ || (orphan_ && limits_.goal == Goal::progress); }

    void begin() {
        for (State start : rules_.initial()) {
            if (rules_.bounds().symmetry) rules_.reduce(start);
            const StateId id = states_.insert({start, states_.hash_of(start), kNoState, Step()});
            if (id != kNoState) frontier_.push_back(id);
        }
    }

    void expand(std::span<const StateId> level) {
        const std::size_t threads = level.size() < kWorthThreads ? 1 : limits_.threads;
        std::vector<std::vector<StateId>> unknown(threads);
        in_threads(threads, [&](std::size_t t) {
            const std::size_t from = level.size() * t / threads;
            const std::size_t to = level.size() * (t + 1) / threads;
            Successors out;
            for (const StateId id : level.subspan(from, to - from)) {
                if (rules_.expand_known(states_.state(id), out)) {
                    post(id, out, outboxes_[t]);
                } else {
                    unknown[t].push_back(id);
                }
            }
        });
        Successors out;
        for (const std::vector<StateId>& ids : unknown) {
            for (const StateId id : ids) {
                rules_.expand(states_.state(id), out);
                post(id, out, outboxes_.back());
            }
        }
        for (const StateId id : level) probe(id);
    }

    void post(StateId from, const Successors& next, Outbox& outbox) const {
        for (std::size_t i = 0; i < next.size(); ++i) {
            const std::uint64_t hash = states_.hash_of(next.states[i]);
            outbox[StateSet::shard_of(hash)].push_back({next.states[i], hash, from, next.steps[i]});
        }
    }

    /// Where nobody has the lock and nothing is on its way, can it be had?
    void probe(StateId id) {
        const State state = states_.state(id);
        if (orphan_ || limits_.goal == Goal::exclusion || !rules_.is_at_rest(state)) return;
        const std::optional<Duration> wait = probe_.wait(state);
        if (wait) longest_orphan_ = std::max(longest_orphan_, *wait);
        if (!wait) orphan_ = id;
    }

    void sort_in() {
        std::array<std::vector<StateId>, StateSet::kShards> fresh;
        std::array<StateId, StateSet::kShards> violated;
        violated.fill(kNoState);
        std::size_t posted = 0;
        for (const Outbox& outbox : outboxes_) {
            for (const std::vector<Candidate>& candidates : outbox) posted += candidates.size();
        }
        steps_ += posted;
        const std::size_t threads = posted < kWorthThreads ? 1 : limits_.threads;
        in_threads(threads, [&](std::size_t t) {
            for (std::size_t shard = t; shard < fresh.size(); shard += threads) {
                for (const Outbox& outbox : outboxes_) {
                    for (const Candidate& candidate : outbox[shard]) {
                        const StateId id = states_.insert(candidate);
                        if (id == kNoState) continue;
                        fresh[shard].push_back(id);
                        const bool first =
                            limits_.goal != Goal::progress && violated[shard] == kNoState;
                        if (first && rules_.is_violated(candidate.state)) violated[shard] = id;
                    }
                }
            }
        });
        for (std::size_t shard = 0; shard < fresh.size(); ++shard) {
            frontier_.insert(frontier_.end(), fresh[shard].begin(), fresh[shard].end());
            if (!violation_ && violated[shard] != kNoState) violation_ = violated[shard];
        }
        for (Outbox& outbox : outboxes_) {
            for (std::vector<Candidate>& candidates : outbox) {
                candidates.clear();
            }
        }
    }

    template <class Work>
    static void in_threads(std::size_t threads, Work work) {
        std::vector<std::jthread> others;
        for (std::size_t t = 1; t < threads; ++t) others.emplace_back([&work, t] { work(t); });
        work(0);
    }

    void finish(SearchResult& result) {
        const std::optional<StateId> shown = violation_ ? violation_ : orphan_;
        if (violation_) {
            result.verdict = Verdict::violated;
        } else if (orphan_ && limits_.goal == Goal::progress) {
            result.verdict = Verdict::stuck;
        } else if (!result.exhausted) {
            result.verdict = Verdict::unknown;
        } else {
            result.verdict = orphan_ ? Verdict::stuck : Verdict::holds;
        }
        if (shown && result.verdict != Verdict::unknown) result.witness = path_to(*shown);
        result.states = states_.size();
        result.steps = steps_;
        result.memory = states_.memory();
        result.digest = states_.digest();
        result.client_runs = rules_.clients().runs();
        result.longest_orphan = longest_orphan_;
    }

    /// Each step is of a client by its number in the state that was kept, so the numbers are
    /// followed back to those at the start.
    Path path_to(StateId last) {
        std::vector<StateId> ids;
        for (StateId id = last; id != kNoState; id = states_.parent(id)) ids.push_back(id);
        std::reverse(ids.begin(), ids.end());
        Path path = path_from(rules_, states_.state(ids[0]));
        Permutation who = kIdentity;
        for (std::size_t k = 1; k < ids.size(); ++k) {
            Step step = states_.step(ids[k]);
            State after = rules_.after(states_.state(ids[k - 1]), step);
            if (is_of_client(step.kind)) step.client = who[step.client];
            path.steps.push_back(step);
            if (!rules_.bounds().symmetry) continue;
            const Permutation from = rules_.reduce(after);
            const Permutation before = who;
            for (std::uint32_t i = 0; i < who.size(); ++i) who[i] = before[from[i]];
        }
        return path;
    }

    const SearchLimits limits_;
    Rules rules_;
    OrphanProbe probe_;
    StateSet states_;
    std::vector<Outbox> outboxes_;
    std::vector<StateId> frontier_;
    std::optional<StateId> violation_;
    std::optional<StateId> orphan_;
    Duration longest_orphan_{0};
    std::uint64_t steps_ = 0;
};

}  // namespace

SearchResult search_exhaustively(const Algorithm& algorithm, const Bounds& bounds,
                                 const SearchLimits& limits, const std::atomic<bool>& stop,
                                 const TellProgress& tell) {
    SearchResult result;
    if (bounds.faults[Hazard::delay_request] > ClientPart::kMostStrays) {
        result.why_unknown = "more than " + std::to_string(ClientPart::kMostStrays) +
                             " late requests at once are not searched";
        return result;
    }
    Search search(algorithm, bounds, limits);
    while (!search.run(stop, tell, result)) {
        search.forget_states();
        result = SearchResult();
    }
    // A fault that has nothing to strike shows nothing: as in a campaign, that is no pass.
    for (const HazardRow& row : kHazards) {
        if (bounds.faults[row.hazard] == 0 || applies(algorithm, row.hazard)) continue;
        if (result.verdict != Verdict::holds) break;
        result.verdict = Verdict::unknown;
        result.why_unknown = "fault '" + std::string(row.name) + "' cannot strike this lock";
    }
    return result;
}

}  // namespace locklab
