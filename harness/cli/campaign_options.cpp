#include "harness/cli/campaign_options.h"

#include <algorithm>
#include <array>

#include "harness/cli/driver_subjects.h"
#include "harness/cli/shard_option.h"
#include "harness/cli/world_options.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"
#include "harness/core/limits.h"
#include "harness/core/nearest.h"
#include "harness/core/usage_error.h"
#include "harness/sim/latency.h"

namespace locklab {

namespace {

constexpr const char* kUsualFaults = "pause=1,crash=1";
constexpr std::uint32_t kClients = 3;
constexpr std::uint32_t kSwarmClients = 5;
constexpr Duration kLongestRange = std::chrono::hours(24);

std::optional<Duration> optional_duration(const CommandLine& line, const std::string& option) {
    if (!line.has(option)) return std::nullopt;
    return duration_option(line, option);
}

/// "T" or "T-T".
std::optional<DurationRange> optional_range(const CommandLine& line, const std::string& option) {
    if (!line.has(option)) return std::nullopt;
    const auto& text = line.get(option);
    const std::size_t dash = text.find('-');
    const auto least = parse_duration(text.substr(0, dash));
    const auto most = dash == std::string::npos ? least : parse_duration(text.substr(dash + 1));
    if (least && most && *least <= *most && *most <= kLongestRange) {
        return DurationRange{*least, *most};
    }
    throw UsageError("--" + option + " '" + text +
                     "' is no time up to 1440min; right would be 300ms, or 0s-2s");
}

RegularPauses regular_pauses(const CommandLine& line) {
    if (line.has("pause-every") != line.has("pause-length")) {
        throw UsageError(
            "--pause-every and --pause-length need each other; right would be "
            "--pause-every 5s --pause-length 2s");
    }
    if (!line.has("pause-every")) return {};
    return {duration_option(line, "pause-every"), duration_option(line, "pause-length")};
}

void refuse_what_cannot_be_made(const FaultBudget& budget, FaultWorld world,
                                const std::string& where, const std::string& right) {
    for (const HazardRow& row : kHazards) {
        if (budget[row.hazard] == 0 || is_made_in(world, row.hazard)) continue;
        throw UsageError("fault '" + std::string(row.name) + "' cannot be made " + where + ": " +
                         std::string(why_not_in(world, row.hazard)) + "; right would be " +
                         right_instead(row.hazard, right));
    }
}

/// Each lock is at a server of its own, as the keys of a Redis cluster may be.
void read_locks(const CommandLine& line, CampaignOptions& options) {
    options.locks = static_cast<std::uint32_t>(count_option(line, "locks", 1, ResourceId::kMost));
    constexpr std::array<std::string_view, 2> kOrders{"own", "same"};
    const auto order = std::ranges::find(kOrders, line.get("lock-order"));
    if (order == kOrders.end()) {
        throw UsageError(unknown_word("order of locks", line.get("lock-order"), kOrders));
    }
    options.same_order = *order == "same";
    if (options.locks > 1 && options.topology) {
        throw UsageError(
            "--locks puts each lock at a server of its own; right would be to leave "
            "out --topology");
    }
    if (options.locks == 1 && options.same_order) {
        throw UsageError("--lock-order is of several locks; right would be --locks 2");
    }
}

/// Refuses options that the world cannot have.
void check_world(const CampaignOptions& options) {
    const bool live = options.world == WorldKind::live;
    if (live) {
        refuse_what_cannot_be_made(options.budget, FaultWorld::live, "on a real Redis",
                                   "--world sim");
    } else {
        refuse_what_cannot_be_made(options.budget, FaultWorld::simulator, "in the simulator",
                                   "--world live");
    }
    if (live && options.latency) throw UsageError("--latency is for --world sim");
    if (live && options.pauses.every > Duration::zero()) {
        throw UsageError("--pause-every is for --world sim");
    }
    for (const HazardRow& row : kHazards) {
        const bool strikes = options.budget[row.hazard] > 0 && strikes_whole_server(row.hazard);
        if (!live || !strikes || options.redis.empty()) continue;
        throw UsageError("fault '" + std::string(row.name) +
                         "' needs a redis-server of locklab's own, and " + options.redis +
                         " is not; right would be to leave out --redis and LOCKLAB_REDIS");
    }
}

}  // namespace

OptionList campaign_option_list() {
    return {
        {"faults", kText,
         "how many of each a run may have, or none (default: pause=1,crash=1; of a swarm: one of "
         "each that can be)"},
        {"swarm", kFlag, "each run has a random subset of the faults, clients and TTL"},
        {"world", preset("sim"),
         "sim, or live (a real Redis); of lib:NAME, driver:A and libraries: virtual, or live "
         "(default: virtual where its runtime can)"},
        {"seed", preset("1"), "equal seeds give equal bytes in sim"},
        {"grants", preset("10000"), "run until so many grants were counted"},
        {"runs", kText, "run exactly so many times, whatever they grant"},
        {"full", kFlag,
         "go on after that until clean runs leave 5 % of runs open at most (without: holds is said "
         "up to 10 %, else not seen)"},
        {"clients", kText, "clients of each run (default: 3; of a swarm: 2 to 5)"},
        kTopologyOption,
        kTasksOption,
        {"locks", preset("1"), "locks that each client takes, one inside the other: 1 to 3"},
        {"lock-order", preset("own"),
         "with --locks: own (each client begins with another lock), or same"},
        {"grants-per-run", preset("30"), "grants after which a run winds down"},
        {"ttl", kText, "time to live of the lock (default: its article's; live: 500ms)"},
        {"unit", kText, "what TTLs and clock readings are counted in (live: 1ms)"},
        {"retry", kText, "waiting time between two tries (default: the article's)"},
        {"wait", preset("jitter"), "waiting policy: fixed, jitter, exponential"},
        {"renewal", kText, "time between two renewals of a watchdog"},
        {"timeout", kText,
         "how long a client waits for a reply (default: 0.1 TTLs; live: 0.2; with delay_reply: 4)"},
        kClientTtlOption,
        kClientRenewalOption,
        kClientJobOption,
        kClientModeOption,
        {"job", kText, "how long a job is, as T or T-T (default: 0.01 to 0.2 TTLs)"},
        {"think", kText, "time between a release and wanting it again, as T or T-T"},
        {"job-limit", kText, "stop a job, without its write, after this"},
        {"guarded", kFlag,
         "the resource is in the lock's Redis, and a job's write is a script that does nothing "
         "unless the lock's key holds its token; not of drivers"},
        {"pause-every", kText, "sim: pause one client by the clock, besides --faults"},
        {"pause-length", kText, "how long each of these pauses is"},
        {"latency", kText, "sim: instant, constant:T, uniform:T-T, lognormal:MEDIAN,SIGMA"},
        {"redis", kText, "live: use the Redis at host:port (or LOCKLAB_REDIS)"},
        kServerOption,
        {"libraries", kText, "of campaign libraries: these alone, as NAME,NAME"},
        {"plays", kText, "in virtual time: plays of a cell, at most (default: 100)"},
        kShardOption,
        {"out", kText,
         "of a shard: its folder; of libraries without --world live: folder of the table, which "
         "goes on with what is there "
         "(default: results/libraries)"},
        {"markdown", kFlag, "likewise: print the table for a page of Markdown"},
    };
}

WaitPolicy::Kind wait_option(const CommandLine& line) {
    const auto& name = line.get("wait");
    if (name == "fixed") return WaitPolicy::Kind::fixed;
    if (name == "jitter") return WaitPolicy::Kind::jitter;
    if (name == "exponential") return WaitPolicy::Kind::exponential;
    const std::array<std::string_view, 3> known{"fixed", "jitter", "exponential"};
    throw UsageError(unknown_word("waiting policy", name, known));
}

CampaignOptions campaign_options(const CommandLine& line) {
    CampaignOptions options = campaign_options_of_any_world(line);
    check_world(options);
    return options;
}

CampaignOptions campaign_options_of_any_world(const CommandLine& line) {
    return campaign_options_in(line, world_option(line),
                               line.has("faults") ? line.get("faults") : kUsualFaults);
}

CampaignOptions campaign_options_in(const CommandLine& line, WorldKind world,
                                    const std::string& faults) {
    CampaignOptions options;
    options.world = world;
    options.seed = count_option(line, "seed", 0, ~std::uint64_t{0});
    options.grants = count_option(line, "grants", 1, 1'000'000'000);
    options.full = line.has("full");
    if (line.has("runs")) options.runs = count_option(line, "runs", 1, 10'000'000);
    options.swarm = line.has("swarm");
    options.clients = options.swarm ? kSwarmClients : kClients;
    if (line.has("clients")) {
        const std::uint64_t clients = count_option(line, "clients", 1, kMostClients);
        options.clients = static_cast<std::uint32_t>(clients);
    }
    if (options.swarm && options.clients < 2) {
        throw UsageError("--swarm draws 2 clients or more; right would be --clients 2");
    }
    options.tasks = static_cast<std::uint32_t>(count_option(line, "tasks", 1, kMostTasks));
    options.grants_per_run = count_option(line, "grants-per-run", 1, 1'000'000);
    options.every_fault = options.swarm && !line.has("faults");
    if (!options.every_fault) options.budget = parse_faults(faults);
    options.topology = topology_option(line);
    read_locks(line, options);
    options.unequal = unequal_clients(line);
    check_clients_are_there(options.unequal, options.clients, kMostClients);
    options.ttl = optional_duration(line, "ttl");
    options.retry = optional_duration(line, "retry");
    options.renewal = optional_duration(line, "renewal");
    options.unit = optional_duration(line, "unit");
    options.timeout = optional_duration(line, "timeout");
    options.job_limit = optional_duration(line, "job-limit");
    options.guarded = line.has("guarded");
    options.job = optional_range(line, "job");
    if (options.job && options.job->most == Duration::zero()) {
        throw UsageError("--job must be longer than nothing; right would be 300ms, or 0s-2s");
    }
    options.think = optional_range(line, "think");
    options.pauses = regular_pauses(line);
    options.wait = wait_option(line);
    if (line.has("latency")) options.latency = Latency::parse(line.get("latency")).name();
    options.redis = redis_option(line, world);
    return options;
}

}  // namespace locklab
