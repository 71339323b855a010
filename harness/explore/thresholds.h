// The least that breaks a lock: the smallest sets of faults under which two clients are inside at
// once, or the lock is left behind for ever; and which sets were proved to be harmless.
#pragma once

#include <optional>
#include <vector>

#include "harness/explore/proof.h"

namespace locklab {

struct Threshold {
    FaultBudget faults;
    /// Violated, stuck, holds (exhausted), or unknown.
    Verdict verdict = Verdict::unknown;
    Path witness;   ///< a shortest one
    Bounds bounds;  ///< of the search that found it
    /// Of progress: who is stuck.
    std::optional<ClientId> stuck{};
    /// The shortest pause, delay or slow job, or the least skew, that suffices, to the millisecond:
    /// for one fault that has such an amount, where it was asked for.
    std::optional<Duration> least;
    /// Steps of a shortest witness with that least amount: it may take more of them.
    std::size_t least_steps = 0;
};

/// A set about which nothing is known: for want of memory or time, or of what was exercised.
struct UnknownSet {
    FaultBudget faults;
    std::string why;
};

/// What is known of one question.
struct Thresholds {
    const Algorithm* algorithm = nullptr;
    /// Of the searches that each set of faults was put to.
    std::vector<Bounds> searches;
    Goal goal = Goal::exclusion;
    /// Those that break it, of which no part does.
    std::vector<Threshold> minimal;
    /// Those that were exhausted and do not, and where that was no matter of course.
    std::vector<FaultBudget> harmless;
    /// The same, of the brief searches alone: of progress, where exclusion is broken.
    std::vector<FaultBudget> harmless_briefly;
    /// Asked of progress: some harmless sets are so only because all who were refused try on.
    bool counts_on_waiters = false;
    std::vector<UnknownSet> unknown;
    /// What was exercised where nothing broke the lock.
    Coverage coverage;
    bool complete = false;  ///< false: interrupted
};

struct ThresholdPair {
    Thresholds exclusion;
    Thresholds progress;
};

struct ThresholdQuestion {
    std::vector<Bounds> searches;  ///< their faults do not matter
    std::uint32_t most_faults = 1;
    /// Whether the least amount is looked for, too: that takes longer than all the rest.
    bool least_amounts = true;
};

/// Where exclusion is broken, the schedules after that are most of all, and tell little: progress
/// is then asked only of these: the first, and those whose jobs take the lock again, in one round.
std::vector<Bounds> brief_searches(const std::vector<Bounds>& searches);

/// Every set of at most `most_faults` faults that can strike the lock, the smaller ones first. The
/// goal of `limits` does not matter.
ThresholdPair find_thresholds(const Algorithm& algorithm, const ThresholdQuestion& question,
                              const SearchLimits& limits, const std::atomic<bool>& stop,
                              const TellProgress& tell);

}  // namespace locklab
