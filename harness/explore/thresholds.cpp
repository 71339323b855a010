#include "harness/explore/thresholds.h"

#include <algorithm>

#include "harness/core/fault_sets.h"

namespace locklab {

namespace {

constexpr std::chrono::milliseconds kMs{1};

/// The amount that a bisection can reduce; null: none. Several faults share one.
Duration* amount_of(Bounds& bounds, Hazard hazard) {
    switch (row_of(hazard).size) {
        case FaultSize::job: return &bounds.slow_job;
        case FaultSize::pause:
        case FaultSize::cut:
        case FaultSize::hang: return &bounds.pause;
        case FaultSize::delay:
        case FaultSize::reply_delay: return &bounds.delay;
        case FaultSize::clock: return &bounds.clock;
        case FaultSize::none:
        case FaultSize::outage:
        case FaultSize::age:
        case FaultSize::takeover: break;
    }
    return nullptr;
}

std::vector<Hazard> hazards_for(const Algorithm& algorithm) {
    std::vector<Hazard> hazards;
    for (const HazardRow& row : kHazards) {
        const bool is_made = row.hazard != kNoFault && is_made_in(FaultWorld::search, row.hazard);
        if (is_made && applies(algorithm, row.hazard)) hazards.push_back(row.hazard);
    }
    return hazards;
}

std::optional<Hazard> only_one(const FaultBudget& faults) {
    std::optional<Hazard> found;
    for (const HazardRow& row : kHazards) {
        if (faults[row.hazard] == 0) continue;
        if (found || faults[row.hazard] > 1) return std::nullopt;
        found = row.hazard;
    }
    return found;
}

/// Answers both questions of one lock, set by set.
class ThresholdHunt {
public:
    ThresholdHunt(const Algorithm& algorithm, const ThresholdQuestion& question,
                  const SearchLimits& limits, const std::atomic<bool>& stop,
                  const TellProgress& tell)
        : question_(question),
          limits_(limits),
          prover_(algorithm, limits),
          stop_(stop),
          tell_(tell) {
        for (Thresholds* one : {&found_.exclusion, &found_.progress}) {
            one->algorithm = &algorithm;
            one->searches = question.searches;
        }
        found_.progress.goal = Goal::progress;
    }

    ThresholdPair run() {
        const std::vector<Hazard> hazards = hazards_for(*found_.exclusion.algorithm);
        for (std::uint32_t count = 0; count <= question_.most_faults; ++count) {
            for (const FaultBudget& faults : fault_sets(hazards, count)) {
                ask(faults);
                if (stop_) return std::move(found_);
            }
        }
        found_.exclusion.complete = found_.progress.complete = true;
        return std::move(found_);
    }

private:
    static bool is_minimal(const Thresholds& found, const FaultBudget& faults) {
        return std::ranges::none_of(
            found.minimal, [&](const Threshold& other) { return contains(faults, other.faults); });
    }

    /// If neither is known, one search asks for both.
    void ask(const FaultBudget& faults) {
        const bool of_exclusion = is_minimal(found_.exclusion, faults);
        const bool of_progress = is_minimal(found_.progress, faults);
        const std::vector<Bounds>& searches = question_.searches;
        if (!of_exclusion) {
            if (of_progress) ask_briefly(faults);
            return;
        }
        const Goal goal = of_progress ? Goal::any : Goal::exclusion;
        const Proof proof = prove(faults, searches, goal);
        if (stop_) return;
        if (proof.verdict == Verdict::stuck) {
            keep(found_.progress, proof);
            keep(found_.exclusion, prove(faults, searches, Goal::exclusion));
            return;
        }
        keep(found_.exclusion, proof);
        if (!of_progress) return;
        if (proof.stuck) {
            keep_stuck(found_.progress, faults, proof.searches[*proof.stuck]);
        } else if (proof.verdict == Verdict::violated) {
            ask_briefly(faults);
        } else {
            keep(found_.progress, proof);
        }
    }

    void ask_briefly(const FaultBudget& faults) {
        keep(found_.progress, prove(faults, brief_searches(question_.searches), Goal::progress));
    }

    Proof prove(const FaultBudget& faults, std::vector<Bounds> searches, Goal goal) const {
        for (Bounds& bounds : searches) bounds.set_faults(faults);
        return prover_.prove(searches, goal, stop_, tell_);
    }

    static bool counts_on_waiters(const Proof& proof) {
        return std::ranges::any_of(
            proof.searches, [](const Searched& each) { return each.result.counts_on_waiters; });
    }

    void keep(Thresholds& found, const Proof& proof) const {
        if (stop_) return;
        if (proof.verdict == Verdict::holds) {
            const bool brief = proof.searches.size() < question_.searches.size() ||
                               proof.searches[0].bounds.rounds < question_.searches[0].rounds;
            (brief ? found.harmless_briefly : found.harmless).push_back(proof.faults);
            found.coverage.add(proof.coverage);
            if (found.goal == Goal::progress) found.counts_on_waiters |= counts_on_waiters(proof);
        } else if (proof.verdict == Verdict::unknown) {
            found.unknown.push_back({proof.faults, proof.why_unknown});
        } else {
            const Searched& shown = proof.shown();
            if (proof.verdict == Verdict::stuck) return keep_stuck(found, proof.faults, shown);
            found.minimal.push_back(
                {proof.faults, proof.verdict, shown.result.witness, shown.bounds, {}, {}, 0});
            if (question_.least_amounts) bisect(found.goal, found.minimal.back());
        }
    }

    void keep_stuck(Thresholds& found, const FaultBudget& faults, const Searched& shown) const {
        const SearchResult::Stuck& stuck = *shown.result.stuck;
        found.minimal.push_back(
            {faults, Verdict::stuck, stuck.witness, shown.bounds, stuck.client, {}, 0});
        if (question_.least_amounts) bisect(found.goal, found.minimal.back());
    }

    /// Between an amount that does not break the lock and one that does, in whole milliseconds.
    struct Range {
        std::int64_t holds = 0;
        std::int64_t breaks = 0;
        std::size_t steps = 0;  ///< length of a shortest witness with `breaks`

        bool is_open() const { return breaks - holds > 1; }
        std::int64_t middle() const { return (holds + breaks) / 2; }
    };

    /// The least amount is for the search that found the set. The brief search guesses it; if both
    /// agree, two of the longer searches suffice.
    void bisect(Goal goal, Threshold& threshold) const {
        const std::optional<Hazard> hazard = only_one(threshold.faults);
        Bounds with = threshold.bounds;
        if (!hazard || amount_of(with, *hazard) == nullptr) return;
        Range range{0, *amount_of(with, *hazard) / kMs, threshold.witness.steps.size()};
        Bounds brief = brief_searches(question_.searches).front();
        brief.faults = threshold.faults;
        Range guess = range;
        const bool is_guessed = (with.rounds > 1 || with.clients > brief.clients) &&
                                try_amount(goal, brief, *hazard, guess.breaks, guess) &&
                                guess.is_open() && narrow(goal, brief, *hazard, guess);
        for (const std::int64_t amount : {guess.holds, guess.breaks}) {
            const bool is_news = amount > range.holds && amount < range.breaks;
            if (is_guessed && is_news && !try_amount(goal, with, *hazard, amount, range)) return;
        }
        if (!narrow(goal, with, *hazard, range)) return;
        threshold.least_steps = range.steps;
        threshold.least = range.breaks * kMs;
    }

    /// False if a search had no verdict.
    bool narrow(Goal goal, const Bounds& bounds, Hazard hazard, Range& range) const {
        while (range.is_open()) {
            if (!try_amount(goal, bounds, hazard, range.middle(), range)) return false;
        }
        return true;
    }

    bool try_amount(Goal goal, Bounds bounds, Hazard hazard, std::int64_t amount,
                    Range& range) const {
        SearchLimits limits = limits_;
        limits.goal = goal;
        *amount_of(bounds, hazard) = amount * kMs;
        const SearchResult result =
            search_exhaustively(*found_.exclusion.algorithm, bounds, limits, stop_, tell_);
        if (result.verdict == Verdict::unknown) return false;
        if (result.verdict == Verdict::holds) {
            range.holds = amount;
        } else {
            range.breaks = amount;
            range.steps = result.witness.steps.size();
        }
        return true;
    }

    const ThresholdQuestion question_;
    const SearchLimits limits_;
    const Prover prover_;
    const std::atomic<bool>& stop_;
    const TellProgress& tell_;
    ThresholdPair found_;
};

}  // namespace

std::vector<Bounds> brief_searches(const std::vector<Bounds>& searches) {
    std::vector<Bounds> brief;
    for (const Bounds& bounds : searches) {
        if (brief.empty() || bounds.takes_again) brief.push_back(bounds);
    }
    for (Bounds& bounds : brief) bounds.rounds = 1;
    return brief;
}

ThresholdPair find_thresholds(const Algorithm& algorithm, const ThresholdQuestion& question,
                              const SearchLimits& limits, const std::atomic<bool>& stop,
                              const TellProgress& tell) {
    return ThresholdHunt(algorithm, question, limits, stop, tell).run();
}

}  // namespace locklab
