// The least faults that break a lock: the smallest sets under which too many clients are inside at
// once, or a client is stuck for ever; and which sets were proved harmless.
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
    /// For progress: the client that is stuck.
    std::optional<ClientId> stuck{};
    /// The shortest pause, delay or slow job, or the least skew, that suffices, in whole
    /// milliseconds. Only for a single fault that has such an amount, and only if asked for.
    std::optional<Duration> least;
    /// Length of a shortest witness with that least amount, which may be longer than `witness`.
    std::size_t least_steps = 0;
};

/// A set without a verdict: too little memory or time, or too little exercised.
struct UnknownSet {
    FaultBudget faults;
    std::string why;
};

/// The answers to one question.
struct Thresholds {
    const Algorithm* algorithm = nullptr;
    /// The searches that were made for each set of faults.
    std::vector<Bounds> searches;
    Goal goal = Goal::exclusion;
    /// Sets that break the lock, and of which no part does.
    std::vector<Threshold> minimal;
    /// Sets that do not break the lock: searched exhaustively, and enough was exercised.
    std::vector<FaultBudget> harmless;
    /// The same by the brief searches only: for progress, if exclusion is broken.
    std::vector<FaultBudget> harmless_briefly;
    /// For progress: some sets are harmless only because all clients that were refused go on
    /// trying.
    bool counts_on_waiters = false;
    std::vector<UnknownSet> unknown;
    /// What was exercised by sets that did not break the lock.
    Coverage coverage;
    bool complete = false;  ///< false: interrupted
};

struct ThresholdPair {
    Thresholds exclusion;
    Thresholds progress;
};

struct ThresholdQuestion {
    std::vector<Bounds> searches;  ///< their faults are ignored
    std::uint32_t most_faults = 1;
    /// Whether to find least amounts too, which takes longer than all the rest.
    bool least_amounts = true;
};

/// After a violation of exclusion there are very many schedules that tell little, so progress is
/// then asked only of these: the first search, and those whose jobs take the lock again, in one
/// round.
std::vector<Bounds> brief_searches(const std::vector<Bounds>& searches);

/// Asks about every set of at most `most_faults` faults that can strike the lock, smaller ones
/// first. The goal of `limits` is ignored.
ThresholdPair find_thresholds(const Algorithm& algorithm, const ThresholdQuestion& question,
                              const SearchLimits& limits, const std::atomic<bool>& stop,
                              const TellProgress& tell);

}  // namespace locklab
