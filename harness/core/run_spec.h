// All that a run is given before it begins, in either world. With a seed (or the picks of a trace)
// it determines a simulated run byte for byte.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "harness/core/fault.h"
#include "harness/core/run_shape.h"

namespace locklab {

/// The upper limit of a run's patience. Products of a time and a quantile do not overflow.
inline constexpr Duration kLongestPatience = std::chrono::hours(5'000);

struct RunSpec : RunShape, RunRounds {
    FaultBudget budget;
    /// Budget, clients and TTL were drawn for this one run, and its history says so.
    bool drawn = false;
    /// How long messages take in sim, in the form that Latency::parse reads.
    std::string latency = "lognormal:500us,1";
};

/// For a swarm, whose runs differ: the specification of run `run`. Runs of one batch use the same
/// servers, and either all or none have faults of servers.
using SpecOfRun = std::function<RunSpec(std::uint64_t run, std::uint64_t batch)>;

/// What a run's history says of its draw; nothing if it was not drawn.
std::optional<Draw> draw_of(const RunSpec& spec);

/// The specification that follows from an algorithm, its options and a budget: job, think and
/// waiting times, time-outs and patience are in proportion to the TTL. If the lock has none,
/// `stand_in` is used, or 10 s if that is zero.
RunSpec make_run_spec(const Algorithm& algorithm, const LockOptions& options, Duration stand_in,
                      const FaultBudget& budget);

/// The servers that were asked for, or else those of the lock, plus a replica if there is to be a
/// failover. Throws UsageError if the lock or a fault needs others.
Topology topology_for(const Algorithm& algorithm, const std::optional<Topology>& asked,
                      const FaultBudget& budget);

/// Throws UsageError if the lock or a fault does not go with the number of locks per client.
void check_locks(const RunSpec& spec);

/// Throws UsageError if each client has several tasks that share its lock object, and another
/// option does not go with that.
void check_tasks(const RunSpec& spec);

/// Throws UsageError where writes are guarded and there is no key of one lock at one master to look
/// into.
void check_guard(const RunSpec& spec);

/// How long a client waits for a reply, instead of a tenth of the TTL, or of longer than any reply
/// is late where replies may be; with it the patience of the run.
void set_timeout(RunSpec& spec, Duration timeout);
/// Sets the usual time-out of a live run: a fifth of the TTL, unless replies may be late.
void set_live_timeout(RunSpec& spec);

/// The scale for drawing the faults of such a run.
FaultScale fault_scale(const RunSpec& spec);

}  // namespace locklab
