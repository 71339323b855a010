#include "harness/campaign/campaign_spec.h"

#include <algorithm>

#include "harness/core/duration_text.h"
#include "harness/core/limits.h"
#include "harness/core/usage_error.h"

namespace locklab {

namespace {

constexpr Duration kLiveTtl = std::chrono::milliseconds(500);
constexpr Duration kLiveUnit = std::chrono::milliseconds(1);

LockOptions lock_options(const Algorithm& algorithm, const CampaignOptions& options) {
    LockOptions lock = algorithm.defaults;
    const bool live = options.world == WorldKind::live;
    if (options.unit) lock.clock_unit = *options.unit;
    if (live && !options.unit) lock.clock_unit = std::min(lock.clock_unit, kLiveUnit);
    if (options.retry) lock.retry = *options.retry;
    if (lock.ttl == Duration::zero()) return lock;
    const Duration ttl = options.ttl.value_or(live ? kLiveTtl : lock.ttl);
    lock = with_ttl(lock, ttl);
    if (options.renewal && algorithm.renews) lock.renewal = *options.renewal;
    const Duration tick = std::max<Duration>(lock.clock_unit, std::chrono::milliseconds(1));
    if (ttl % tick != Duration::zero()) {
        throw UsageError("a TTL of " + to_string(ttl) + " is no whole number of " +
                         std::string(algorithm.name) + "'s clock unit, " + to_string(tick) +
                         "; right would be --unit 1ms, or another --ttl");
    }
    return lock;
}

std::uint32_t clients_for(const Algorithm& algorithm, const CampaignOptions& options) {
    const std::uint32_t least = algorithm.permits != 1 ? least_clients(algorithm) : 1;
    if (options.exact_clients && options.clients < least) {
        throw UsageError(std::string(algorithm.name) + " can be shared, and with " +
                         std::to_string(options.clients) + " clients too few are in one " +
                         "another's way; right would be --clients " + std::to_string(least) +
                         " or more");
    }
    return std::max(options.clients, least);
}

/// Each of several locks is at a server of its own.
void set_servers(RunSpec& spec, const CampaignOptions& options) {
    spec.resources = options.locks;
    spec.workload.same_order = options.same_order;
    check_locks(spec);
    if (options.locks > 1) {
        spec.topology = Topology{options.locks};
    } else {
        spec.topology = topology_for(*spec.algorithm, options.topology, spec.budget);
    }
}

}  // namespace

CampaignGoal campaign_goal(const CampaignOptions& options) {
    if (options.runs) return {options.seed, ~std::uint64_t{0}, *options.runs, options.full};
    const std::uint64_t most = 4 * (options.grants / options.grants_per_run + 1);
    return {options.seed, options.grants, most, options.full};
}

RunSpec spec_for(const Algorithm& algorithm, const CampaignOptions& options) {
    const std::uint32_t clients = clients_for(algorithm, options);
    RunSpec spec = make_run_spec(
        algorithm, lock_options(algorithm, options),
        options.ttl.value_or(options.world == WorldKind::live ? kLiveTtl : Duration::zero()),
        options.budget);
    for (const ClientOptions& own : kept_by(algorithm, options.unequal)) {
        if (own.client.value >= clients) continue;  // a swarm drew fewer clients
        check_ttl(own, spec.options);
        spec.unequal.push_back(own);
    }
    spec.clients = clients;
    spec.tasks = options.tasks;
    check_tasks(spec);
    set_timeout(spec, spec.command_timeout);
    if (options.world == WorldKind::live) set_live_timeout(spec);
    if (options.timeout) set_timeout(spec, *options.timeout);
    set_servers(spec, options);
    spec.guards_writes = options.guarded;
    check_guard(spec);
    spec.grants = options.grants_per_run;
    spec.workload.wait.kind = options.wait;
    if (options.job_limit) spec.workload.job_limit = *options.job_limit;
    if (options.latency) spec.latency = *options.latency;
    if (options.job) spec.workload.job = *options.job;
    if (options.think) {
        spec.workload.think = *options.think;
        spec.workload.away = {};
    }
    spec.pauses = options.pauses;
    // A client waits at most while each of the others does a long job, or is paused.
    if (options.job) spec.patience += options.job->most * std::int64_t{spec.workers()};
    if (options.think) spec.patience += options.think->most;
    spec.patience += options.pauses.length * std::int64_t{spec.workers()};
    if (spec.patience > kLongestPatience) {
        throw UsageError(
            "times that long with so many clients or faults make a run of more than "
            "5000 hours; right would be shorter ones, or fewer");
    }
    if (options.pauses.every != Duration::zero() &&
        options.pauses.every < spec.patience / kMostTries) {
        throw UsageError("--pause-every " + to_string(options.pauses.every) +
                         " is too often; right would be " + to_string(spec.patience / kMostTries) +
                         " or longer");
    }
    const Duration least = spec.patience / kMostTries;
    if (spec.workload.wait.delay < least) {
        throw UsageError("--retry " + to_string(spec.workload.wait.delay) +
                         " is too often for a TTL of " + to_string(spec.scale) +
                         "; right would be --retry " + to_string(least) + " or longer");
    }
    return spec;
}

}  // namespace locklab
