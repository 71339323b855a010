// All that a run is given before it begins, in either world. With a seed (or the picks of a
// trace) a simulated run follows from it to the byte.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "harness/core/fault.h"
#include "harness/core/run_shape.h"

namespace locklab {

/// No run is more patient. Products of a time and a quantile fit.
inline constexpr Duration kLongestPatience = std::chrono::hours(5'000);

struct RunSpec : RunShape, RunRounds {
    FaultBudget budget;
    /// Budget, clients and TTL were drawn for this run alone, and its history says so.
    bool drawn = false;
    /// How long messages take in sim, as Latency::parse reads it.
    std::string latency = "lognormal:500us,1";
};

/// Of a swarm, whose runs differ: that of run `run`. Runs of one batch are on the same servers, and
/// have in common whether these are struck.
using SpecOfRun = std::function<RunSpec(std::uint64_t run, std::uint64_t batch)>;

/// What a run's history says of its draw, if it was drawn.
std::optional<Draw> draw_of(const RunSpec& spec);

/// The specification that follows from an algorithm, its options and a budget: job, think and
/// waiting times, time-outs and patience in proportion to the TTL. Where the lock has none,
/// `stand_in` stands for it, or 10 s if that is zero.
RunSpec make_run_spec(const Algorithm& algorithm, const LockOptions& options, Duration stand_in,
                      const FaultBudget& budget);

/// The servers that were asked for, or else the lock's own, with a replica where one is to take
/// over. Throws UsageError where the lock or a fault needs others.
Topology topology_for(const Algorithm& algorithm, const std::optional<Topology>& asked,
                      const FaultBudget& budget);

/// Throws UsageError where the lock or a fault does not go with the number of locks that each
/// client takes.
void check_locks(const RunSpec& spec);

/// Throws UsageError where each client has several tasks that share its lock object, and something
/// does not go with that.
void check_tasks(const RunSpec& spec);

/// Throws UsageError where writes are guarded and there is no key of one lock at one master to look
/// into.
void check_guard(const RunSpec& spec);

/// How long a client waits for a reply, instead of a tenth of the TTL, or of longer than any reply
/// is late where replies may be; with it the patience of the run.
void set_timeout(RunSpec& spec, Duration timeout);
/// The usual one of a live run: a fifth of the TTL, where replies are in time.
void set_live_timeout(RunSpec& spec);

/// What the faults of such a run are drawn by.
FaultScale fault_scale(const RunSpec& spec);

}  // namespace locklab
