#include "harness/explore/exhaustive.h"

#include <algorithm>
#include <new>
#include <span>
#include <stdexcept>

#include "harness/explore/in_threads.h"
#include "harness/explore/level.h"
#include "harness/explore/progress_watch.h"
#include "harness/explore/step_table.h"
#include "harness/explore/way_back.h"

namespace locklab {

namespace {

/// States expanded between two calls of sort_in(), to bound memory; independent of the threads.
constexpr std::size_t kChunk = 1U << 14;
constexpr std::size_t kWorthThreads = 1U << 11;  ///< work items that justify starting threads
constexpr std::size_t kAhead = 12;               ///< prefetch distance, in candidates
constexpr const char* kOutOfMemory = "out of memory";

template <std::size_t kWords>
class Search {
    using Packed = PackedState<kWords>;
    using Set = StateSet<kWords>;
    using Here = Waiting<kWords>;

public:
    Search(const Algorithm& algorithm, const Bounds& bounds, const SearchLimits& limits)
        : algorithm_(algorithm),
          limits_(limits),
          packing_(bounds),
          rules_(algorithm, bounds),
          progress_(algorithm, rules_),
          by_thread_(limits.threads + 1) {}

    /// False if the search must start again, because the rules learnt something needed from the
    /// start.
    bool run(const std::atomic<bool>& stop, const TellProgress& tell, SearchResult& result) {
        const Rules::Lesson told = rules_.lesson();
        begin();
        while (!frontier_.empty() && !is_found()) {
            const std::vector<Here> level = std::move(frontier_);
            frontier_.clear();
            for (std::size_t i = 0; i < level.size() && !is_found(); i += kChunk) {
                const std::size_t count = std::min(kChunk, level.size() - i);
                expand(std::span(level).subspan(i, count));
                sort_in();
                if (asks_progress() && !is_found() && progress_.should_keep_clients()) {
                    result.should_keep_clients = true;
                    return finish(result), true;
                }
                if (rules_.lesson() != told) return false;
                tell({states_.size(), frontier_.size() + level.size() - i, states_.memory()});
                if (stop) result.why_unknown = "interrupted";
                if (states_.memory() > limits_.memory) result.why_unknown = kOutOfMemory;
                if (states_.size() > limits_.states) result.why_unknown = "too many states";
                if (!result.why_unknown.empty()) return finish(result), true;
            }
            depth_ = ++result.depth;
            if (depth_ < limits_.depth || is_found() || frontier_.empty()) continue;
            result.why_unknown = "a shorter witness is known";
            return finish(result), true;
        }
        result.exhausted = !is_found();
        return finish(result), true;
    }
    void forget_states() {
        rules_.begin_anew();
        progress_.forget();
        coverage_ = Coverage();
        states_ = Set();
        starts_.clear();
        frontier_.clear();
        violation_.reset();
        orphan_.reset();
        depth_ = 0;
        refused_.reset();
        false_refusals_ = FalseRefusals();
        steps_ = 0;
    }

private:
    /// Whether the search cannot find anything better.
    bool is_found() const { return violation_ || (orphan_ && limits_.goal == Goal::progress); }
    bool asks_progress() const {
        return limits_.goal != Goal::exclusion && !orphan_ && depth_ < limits_.stuck_depth;
    }
    void begin() {
        for (State start : rules_.initial()) {
            if (rules_.is_symmetric()) rules_.reduce(start);
            const Candidate<kWords> first{packing_.packed<kWords>(start), kNoState, Step()};
            const StateId id = states_.insert(first, first.state.hash());
            if (id != kNoState) starts_.push_back({first.state, id});
        }
        frontier_ = starts_;
    }

    Successors successors() const {
        Successors out;
        // Following a try to its end assumes that messages take no time.
        out.asks_refusals = limits_.goal == Goal::any && !rules_.is_shared() &&
                            rules_.bounds().latency == Duration::zero();
        return out;
    }

    void expand(std::span<const Here> level) {
        const std::size_t threads = level.size() < kWorthThreads ? 1 : limits_.threads;
        std::vector<std::vector<Here>> unknown(threads);
        std::vector<std::vector<Here>> at_rest(threads);
        std::vector<Coverage> coverage(threads);
        in_threads(threads, [&](std::size_t t) {
            const std::size_t from = level.size() * t / threads;
            const std::size_t to = level.size() * (t + 1) / threads;
            Successors out = successors();
            for (const Here& waiting : level.subspan(from, to - from)) {
                const State state = packing_.unpacked(waiting.state);
                if (rules_.expand_known(state, out)) {
                    post(waiting.id, out, by_thread_[t]);
                } else {
                    unknown[t].push_back(waiting);
                }
                if (rules_.is_at_rest(state)) at_rest[t].push_back(waiting);
            }
            coverage[t] = out.coverage;
        });
        Successors out = successors();
        for (const std::vector<Here>& list : unknown) {
            for (const Here& waiting : list) {
                rules_.expand(packing_.unpacked(waiting.state), out);
                post(waiting.id, out, by_thread_.back());
            }
        }
        for (const Coverage& its : coverage) coverage_.add(its);
        coverage_.add(out.coverage);
        if (!asks_progress()) return;
        for (const std::vector<Here>& list : at_rest) {
            for (const Here& waiting : list) {
                const State state = packing_.unpacked(waiting.state);
                const auto way = [&] { return way_to(waiting.id); };
                if (!orphan_ && progress_.look(waiting.id, state, way)) orphan_ = waiting.id;
            }
        }
    }

    void post(StateId from, const Successors& next, ByShard<kWords>& by_shard) const {
        for (std::size_t i = 0; i < next.size(); ++i) {
            const Packed state = packing_.packed<kWords>(next.states[i]);
            by_shard.shards[Set::shard_of(state.hash())].push_back({state, from, next.steps[i]});
        }
        for (const FalseRefusal& refusal : next.refusals)
            by_shard.refused.push_back({from, refusal});
    }

    void sort_in() {
        std::array<Fresh<kWords>, Set::kShards> fresh;
        std::size_t posted = 0;
        for (ByShard<kWords>& by_shard : by_thread_) {
            for (const auto& candidates : by_shard.shards) posted += candidates.size();
            for (RefusedTry& one : by_shard.refused) {
                ++(one.what.of_own ? false_refusals_.of_own : false_refusals_.of_nobodys);
                if (!refused_) refused_ = std::move(one);
            }
            by_shard.refused.clear();
        }
        steps_ += posted;
        const std::size_t threads = posted < kWorthThreads ? 1 : limits_.threads;
        in_threads(threads, [&](std::size_t t) {
            for (std::size_t shard = t; shard < fresh.size(); shard += threads) {
                for (ByShard<kWords>& by_shard : by_thread_)
                    sort_in(by_shard.shards[shard], fresh[shard]);
            }
        });
        for (const Fresh<kWords>& found : fresh) {
            frontier_.insert(frontier_.end(), found.states.begin(), found.states.end());
            if (!violation_ && limits_.goal != Goal::progress) violation_ = found.violation;
        }
    }

    /// Inserts all candidates of one shard.
    void sort_in(std::vector<Candidate<kWords>>& candidates, Fresh<kWords>& fresh) {
        for (std::size_t k = 0; k < candidates.size(); ++k) {
            if (k + kAhead < candidates.size()) {
                states_.prefetch(candidates[k + kAhead].state.hash());
            }
            const Packed& state = candidates[k].state;
            const StateId id = states_.insert(candidates[k], state.hash());
            if (id == kNoState) continue;
            fresh.states.push_back({state, id});
            if (!fresh.violation && rules_.is_violated(packing_.unpacked(state)))
                fresh.violation = id;
        }
        candidates.clear();
    }

    void finish(SearchResult& result) {
        const std::optional<StateId> shown = violation_ ? violation_ : orphan_;
        if (violation_) {
            result.verdict = Verdict::violated;
        } else if (orphan_ && (result.exhausted || limits_.goal == Goal::progress)) {
            result.verdict = Verdict::stuck;
        } else {
            result.verdict = result.exhausted ? Verdict::holds : Verdict::unknown;
        }
        if (result.verdict == Verdict::holds && limits_.stuck_depth <= result.depth) {
            result.verdict = Verdict::unknown;
            result.why_unknown = "a shorter way to a stuck client is known";
        }
        result.has_ghosts = rules_.clients().has_ghosts();
        if (result.exhausted && result.has_ghosts) {
            result.verdict = Verdict::unknown;
            result.why_unknown = kGhosts;
        }
        if (shown && result.verdict != Verdict::unknown) result.witness = way_to(*shown);
        if (orphan_ && result.verdict != Verdict::unknown) {
            result.stuck = {way_to(*orphan_), *progress_.stuck()};
        }
        result.states = states_.size();
        result.steps = steps_;
        result.memory = states_.memory();
        result.digest = states_.digest();
        result.client_runs = rules_.clients().runs();
        result.longest_orphan = progress_.longest_wait();
        result.counts_on_waiters = progress_.counts_on_waiters();
        if (const auto& waiting = progress_.waiting()) {
            Permutation who = kIdentity;
            result.orphan_witness = way_to(waiting->id, {}, &who);
            const bool is_newcomer = waiting->client == OrphanProbe::kNewcomer;
            result.orphan_waiter =
                ClientId{is_newcomer ? rules_.bounds().clients : who[waiting->client]};
        }
        result.false_refusals = false_refusals_;
        if (refused_) result.false_refusals.witness = way_to(refused_->id, refused_->what.steps);
        result.coverage = coverage_;
        result.coverage.sent = rules_.clients().sent();
        result.coverage.answered = rules_.server().answered();
        // Several start states exist only if a clock may be wrong from the start.
        if (starts_.size() > 1) result.coverage.strike_clocks();
        result.cuts_tokens = rules_.clients().cuts_tokens();
    }

    Path way_to(StateId last, const std::vector<Step>& more = {}, Permutation* who = nullptr) {
        return way_back<kWords>({states_, starts_, packing_}, rules_, last, more, who);
    }

    const Algorithm& algorithm_;
    const SearchLimits limits_;
    const Packing packing_;
    Rules rules_;
    ProgressWatch progress_;
    Set states_;
    std::vector<ByShard<kWords>> by_thread_;
    std::vector<Here> starts_;
    std::vector<Here> frontier_;
    std::optional<StateId> violation_;
    std::optional<StateId> orphan_;
    std::size_t depth_ = 0;
    std::optional<RefusedTry> refused_;
    FalseRefusals false_refusals_;
    std::uint64_t steps_ = 0;
    Coverage coverage_;
};

template <std::size_t kWords>
SearchResult search_in(const Algorithm& algorithm, const Bounds& bounds, const SearchLimits& limits,
                       const std::atomic<bool>& stop, const TellProgress& tell) {
    SearchResult result;
    try {
        Search<kWords> search(algorithm, bounds, limits);
        while (!search.run(stop, tell, result)) {
            search.forget_states();
            result = SearchResult();
        }
    } catch (const std::length_error& too_many) {
        result = SearchResult();
        result.why_unknown = too_many.what();
    } catch (const std::bad_alloc&) {
        result = SearchResult();
        result.why_unknown = kOutOfMemory;
    }
    return result;
}

}  // namespace

SearchResult search_states(const Algorithm& algorithm, const Bounds& bounds,
                           const SearchLimits& limits, const std::atomic<bool>& stop,
                           const TellProgress& tell) {
    const auto search = Packing(bounds).words() == 2 ? search_in<2> : search_in<4>;
    const SearchResult result = search(algorithm, bounds, limits, stop, tell);
    if (!result.should_keep_clients) return result;
    // Clients that this search took for done must be told apart by what they have seen.
    Bounds with_waiters = bounds;
    with_waiters.waits_on = true;
    return search(algorithm, with_waiters, limits, stop, tell);
}

}  // namespace locklab
