#include "harness/core/run_spec.h"

#include <algorithm>

#include "harness/core/limits.h"
#include "harness/core/usage_error.h"

namespace locklab {

namespace {

/// In TTLs: the longest fault that holds up a worker; and twice the longest time of a job, its
/// release and an expiry after it.
constexpr int kLongestFault = 3;
constexpr int kAtRest = 7;

/// In units of the TTL, the outages and the time-out together: how long a client that tries alone
/// may need.
constexpr int kAlone = 3;

/// Longest wait that the budget's faults can cause; a client that waits longer is stuck.
Duration patience_for(const FaultBudget& budget, Duration scale, Duration timeout) {
    const Duration longest = scale * kLongestFault;
    Duration held_up{0};
    Duration away{0};
    for (const HazardRow& row : kHazards) {
        const Duration each = strikes_messages(row.hazard) ? std::max(longest, timeout) : longest;
        held_up += each * std::int64_t{budget[row.hazard]};
        if (silences_server(row.hazard)) away += longest * std::int64_t{budget[row.hazard]};
    }
    return std::max(scale * kAtRest + std::max(held_up, longest),
                    kAlone * (scale + away + timeout));
}

/// A TTL has this many time-outs. A real machine is late now and then, so live time-outs are
/// longer.
constexpr int kSimTimeouts = 10;
constexpr int kLiveTimeouts = 5;

Duration usual_timeout(const RunSpec& spec, int in_a_ttl) {
    const bool late = spec.budget.has(FaultSize::reply_delay);
    return late ? spec.scale * (kLongestFault + 1) : spec.scale / in_a_ttl;
}

}  // namespace

RunSpec make_run_spec(const Algorithm& algorithm, const LockOptions& options, Duration stand_in,
                      const FaultBudget& budget) {
    RunSpec spec;
    spec.algorithm = &algorithm;
    spec.options = options;
    spec.clients = std::max(spec.clients, least_clients(algorithm));
    spec.topology = topology_for(algorithm, {}, budget);
    spec.budget = budget;
    if (stand_in != Duration::zero()) spec.scale = stand_in;
    if (options.ttl != Duration::zero()) spec.scale = options.ttl;
    spec.workload.job = {spec.scale / 100, spec.scale / 5};
    spec.workload.think = {Duration::zero(), spec.scale * 2 / 5};
    spec.workload.away = {spec.scale, spec.scale * 2};
    spec.workload.wait = {WaitPolicy::Kind::jitter, options.retry};
    spec.workload.give_up = options.give_up;
    if (algorithm.reentrant) spec.workload.takes_again = Workload::Again::sometimes;
    set_timeout(spec, usual_timeout(spec, kSimTimeouts));
    return spec;
}

void set_live_timeout(RunSpec& spec) { set_timeout(spec, usual_timeout(spec, kLiveTimeouts)); }

void check_locks(const RunSpec& spec) {
    const auto refuse = [&](const std::string& why) {
        throw UsageError("--locks " + std::to_string(spec.resources) + " does not go with " + why +
                         "; right would be one lock");
    };
    if (spec.resources == 1) return;
    const Algorithm& lock = *spec.algorithm;
    const std::string name(lock.name);
    if (lock.redis_servers != 1) {
        refuse(name + ", which is not at one server");
    }
    if (lock.permits != 1) refuse(name + ", which can be shared");
    if (spec.budget.takes_over()) refuse("failover, which has one master");
}

void check_guard(const RunSpec& spec) {
    if (!spec.guards_writes) return;
    const auto refuse = [](const std::string& why) {
        throw UsageError("--guarded does not go with " + why + "; right would be to leave it out");
    };
    const Algorithm& lock = *spec.algorithm;
    if (spec.topology.masters > 1) {
        refuse("several masters, for the resource is in one of them");
    }
    if (lock.permits != 1) refuse(std::string(lock.name) + ", whose key is nobody's");
}

void check_tasks(const RunSpec& spec) {
    if (spec.tasks == 1) return;
    const std::string tasks = "--tasks " + std::to_string(spec.tasks);
    if (std::uint64_t{spec.clients} * spec.tasks > kMostClients) {
        throw UsageError(tasks + " makes more than " + std::to_string(kMostClients) +
                         " tasks of all clients; right would be fewer --clients");
    }
    if (!spec.unequal.empty()) {
        throw UsageError(tasks + " does not go with options of single clients; right would be " +
                         "one or the other");
    }
}

Topology topology_for(const Algorithm& algorithm, const std::optional<Topology>& asked,
                      const FaultBudget& budget) {
    const Topology own = algorithm.topology();
    if (asked && asked->masters < own.masters) {
        throw UsageError(std::string(algorithm.name) + " asks " + std::to_string(own.masters) +
                         " servers, and --topology " + to_string(*asked) +
                         " has fewer; right would be --topology " + to_string(own));
    }
    Topology topology = asked.value_or(own);
    if (!budget.takes_over()) return topology;
    if (topology.masters > 1) {
        throw UsageError("failover needs exactly one master, and " + std::string(algorithm.name) +
                         " has " + std::to_string(topology.masters) +
                         "; right would be another fault");
    }
    topology.replicas = 1;
    return topology;
}

std::optional<Draw> draw_of(const RunSpec& spec) {
    if (!spec.drawn) return std::nullopt;
    return Draw{spec.budget, spec.scale};
}

void set_timeout(RunSpec& spec, Duration timeout) {
    spec.command_timeout = timeout;
    const Duration longest = std::max(spec.scale, longest_ttl(spec.options, spec.unequal));
    spec.patience = patience_for(spec.budget, longest, timeout);
    // A waiting client is held up by the job of each other client.
    for (const ClientOptions& own : spec.unequal) {
        spec.patience += own.job.value_or(Duration::zero()) * std::int64_t{spec.workers()};
    }
}

FaultScale fault_scale(const RunSpec& spec) {
    const bool reentrant = spec.workload.takes_again != Workload::Again::never;
    return {spec.workers(), spec.scale,           spec.algorithm->renews,
            reentrant,      spec.command_timeout, spec.topology.masters};
}

}  // namespace locklab
