#include "harness/explore/exhaustive.h"

#include <algorithm>
#include <new>
#include <span>
#include <stdexcept>

#include "harness/explore/in_threads.h"
#include "harness/explore/progress_watch.h"
#include "harness/explore/reached.h"
#include "harness/explore/step_table.h"

namespace locklab {

namespace {

/// States expanded between two calls of sort_in(), to bound memory; independent of the threads.
constexpr std::size_t kChunk = 1U << 14;
constexpr std::size_t kWorthThreads = 1U << 11;  ///< work items that justify starting threads

template <std::size_t kWords>
class Search {
    using Packed = PackedState<kWords>;
    using Here = Waiting<kWords>;

public:
    Search(const Algorithm& algorithm, const Bounds& bounds, const SearchLimits& limits)
        : algorithm_(algorithm),
          limits_(limits),
          packing_(bounds),
          rules_(algorithm, bounds),
          progress_(algorithm, rules_),
          reached_(limits.threads, limits.ranks) {}

    /// False if the search must start again, because the rules learnt something needed from the
    /// start.
    bool run(const std::atomic<bool>& stop, const TellProgress& tell, SearchResult& result) {
        const Rules::Lesson told = rules_.lesson();
        begin();
        while (reached_.waiting() > 0 && !is_found()) {
            const Level<kWords> level = reached_.next_level();
            for (std::uint64_t i = 0; i < level.size && !is_found(); i += kChunk) {
                expand(reached_.share(level, i, std::min<std::uint64_t>(kChunk, level.size - i)));
                sort_in();
                if (asks_progress() && !is_found() && progress_.should_keep_clients()) {
                    result.should_keep_clients = true;
                    return finish(result), true;
                }
                if (rules_.lesson() != told) return false;
                const std::uint64_t waiting = reached_.waiting() + level.size - i;
                tell({reached_.size(), waiting, reached_.memory()});
                if (stop) result.why_unknown = "interrupted";
                if (reached_.most_memory() > limits_.memory) result.why_unknown = kOutOfMemory;
                if (reached_.size() > limits_.states) result.why_unknown = "too many states";
                if (!result.why_unknown.empty()) return finish(result), true;
            }
            depth_ = ++result.depth;
            if (depth_ < limits_.depth || is_found() || reached_.waiting() == 0) continue;
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
        reached_.forget();
        violation_.reset();
        orphan_.reset();
        depth_ = 0;
        refused_ = RefusedTries();
    }

private:
    /// Whether the search cannot find anything better.
    bool is_found() const { return violation_ || (orphan_ && limits_.goal == Goal::progress); }
    bool asks_progress() const {
        return limits_.goal != Goal::exclusion && !orphan_ && depth_ < limits_.stuck_depth;
    }
    void begin() {
        std::vector<Packed> starts;
        for (State start : rules_.initial()) {
            if (rules_.reduces()) rules_.reduce(start);
            starts.push_back(packing_.packed<kWords>(start));
        }
        reached_.begin(starts);
    }

    Successors successors() const {
        Successors out;
        // Following a try to its end assumes that messages take no time.
        out.asks_refusals = limits_.goal == Goal::any && !rules_.is_shared() &&
                            rules_.bounds().latency == Duration::zero();
        return out;
    }

    void expand(std::span<const Here> level) {
        Expanded<kWords> left;
        reached_.parts().by_itself([&] { left = expanded_by_known(level); });
        reached_.parts().agree(left);
        Successors out = successors();
        for (const Here& waiting : left.unknown) {
            rules_.expand(packing_.unpacked(waiting.state), out);
            post(waiting.id, out, reached_.last_source(), left.refused);
        }
        coverage_.add(out.coverage);
        refused_.add(left.refused);
        if (!asks_progress()) return;
        for (const Here& waiting : left.at_rest) {
            const State state = packing_.unpacked(waiting.state);
            const auto way = [&] { return way_to(waiting.id); };
            if (!orphan_ && progress_.look(waiting.id, state, way)) orphan_ = waiting.id;
        }
    }

    /// Threads expand what they can without learning.
    Expanded<kWords> expanded_by_known(std::span<const Here> level) {
        const std::size_t threads = level.size() < kWorthThreads ? 1 : limits_.threads;
        std::vector<Expanded<kWords>> by_thread(threads);
        std::vector<Coverage> coverage(threads);
        in_threads(threads, [&](std::size_t t) {
            const std::size_t from = level.size() * t / threads;
            const std::size_t to = level.size() * (t + 1) / threads;
            Successors out = successors();
            for (const Here& waiting : level.subspan(from, to - from)) {
                const State state = packing_.unpacked(waiting.state);
                if (rules_.expand_known(state, out)) {
                    post(waiting.id, out, reached_.source(t), by_thread[t].refused);
                } else {
                    by_thread[t].unknown.push_back(waiting);
                }
                if (asks_progress() && rules_.is_at_rest(state) && progress_.is_news(state))
                    by_thread[t].at_rest.push_back(waiting);
            }
            coverage[t] = out.coverage;
        });
        Expanded<kWords> left;
        for (const Expanded<kWords>& its : by_thread) left.add(its);
        for (const Coverage& its : coverage) coverage_.add(its);
        return left;
    }

    void post(StateId from, const Successors& next, ByShard<kWords>& into,
              RefusedTries& refused) const {
        for (std::size_t i = 0; i < next.size(); ++i) {
            reached_.post(packing_.packed<kWords>(next.states[i]), from, next.steps[i], into);
        }
        for (const FalseRefusal& refusal : next.refusals) refused.add(from, refusal);
    }

    void sort_in() {
        const auto is_violated = [this](const Packed& state) {
            return rules_.is_violated(packing_.unpacked(state));
        };
        const std::optional<StateId> found =
            reached_.sort_in(limits_.threads, kWorthThreads, is_violated);
        if (!violation_ && limits_.goal != Goal::progress) violation_ = found;
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
        result.states = reached_.size();
        result.steps = reached_.steps();
        result.memory = reached_.memory();
        result.digest = reached_.digest();
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
        result.false_refusals = {refused_.of_own, refused_.of_nobodys, {}};
        if (const std::optional<RefusedTry>& first = refused_.first)
            result.false_refusals.witness = way_to(first->id, first->what.steps);
        reached_.parts().agree(coverage_);
        result.coverage = coverage_;
        result.coverage.sent = rules_.clients().sent();
        result.coverage.answered = rules_.server().answered();
        // Several start states exist only if a clock may be wrong from the start.
        if (reached_.starts() > 1) result.coverage.strike_clocks();
        result.cuts_tokens = rules_.clients().cuts_tokens();
    }

    Path way_to(StateId last, const std::vector<Step>& more = {}, Permutation* who = nullptr) {
        return reached_.way_to(packing_, rules_, {last, more}, who);
    }

    const Algorithm& algorithm_;
    const SearchLimits limits_;
    const Packing packing_;
    Rules rules_;
    ProgressWatch progress_;
    Reached<kWords> reached_;
    std::optional<StateId> violation_;
    std::optional<StateId> orphan_;
    std::size_t depth_ = 0;
    RefusedTries refused_;
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
        if (limits.ranks != nullptr) throw;  // the others do not know of it
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
