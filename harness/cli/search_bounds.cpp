#include "harness/cli/search_bounds.h"

#include <algorithm>
#include <array>

#include "harness/cli/driver_subjects.h"
#include "harness/cli/world_options.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"
#include "harness/core/nearest.h"
#include "harness/core/run_spec.h"
#include "harness/explore/proof.h"

namespace locklab {

namespace {

std::uint32_t bound(const CommandLine& line, const char* option, std::uint32_t preset,
                    std::uint64_t least, std::uint64_t most) {
    if (!line.has(option)) return preset;
    return static_cast<std::uint32_t>(count_option(line, option, least, most));
}

/// A search counts whole milliseconds.
bool is_countable(Duration time) {
    return time % std::chrono::milliseconds(1) == Duration::zero() && time <= Bounds::kLongest;
}

void check_time(Duration time, const std::string& what, const char* right) {
    if (is_countable(time)) return;
    throw UsageError(what +
                     " is no whole number of milliseconds up to half a minute; right would " +
                     "be " + right);
}

/// `right`: an example.
Duration time_of(const CommandLine& line, const std::string& option, const std::string& right) {
    const std::optional<Duration> time = parse_duration(line.get(option));
    if (time && *time > Duration::zero() && is_countable(*time)) return *time;
    throw UsageError("--" + option + " " + in_quotes(line.get(option)) +
                     " is no whole number of milliseconds from 1ms up to half a minute; right " +
                     "would be " + right);
}

/// A message without a fault must not be late enough to count as lost.
Duration latency_of(const CommandLine& line, const Bounds& bounds) {
    const Duration latency = time_of(line, "latency", "50ms");
    if (2 * latency < bounds.command_timeout) return latency;
    throw UsageError("--latency " + line.get("latency") +
                     ": with it request and reply take up to " + to_string(2 * latency) +
                     ", and a client waits for " + to_string(bounds.command_timeout) +
                     "; right would be less than half of that, or a longer --timeout");
}

/// Options of clients in the search; if none were given, those of the search itself: its modes.
/// Throws UsageError.
UnequalClients unequal_of_search(const UnequalClients& all, const Bounds& bounds) {
    if (all.empty()) return bounds.unequal;
    UnequalClients there;
    for (const ClientOptions& own : all) {
        if (own.client.value >= bounds.clients) continue;
        check_ttl(own, bounds.options);
        for (const std::optional<Duration>& time : {own.ttl, own.renewal, own.job}) {
            if (time) check_time(*time, "a client's time of " + to_string(*time), "600ms");
        }
        there.push_back(own);
    }
    return there;
}

}  // namespace

std::vector<Bounds> searches_of(const CommandLine& line, const Algorithm& algorithm) {
    const bool asks = line.has("clients") || line.has("rounds") || line.has("attempts") ||
                      line.has("leaves") || line.has("again");
    if (line.get("tasks") != "1") {
        throw UsageError("explore does not search tasks that share a lock object; right would be " +
                         ("campaign " + std::string(algorithm.name)) + " --tasks " +
                         line.get("tasks"));
    }
    std::vector<Bounds> searches{bounds_for(algorithm)};
    Bounds& bounds = searches[0];
    bounds.clients = bound(line, "clients", 3, 1, Bounds::kMostClients);
    bounds.rounds = bound(line, "rounds", 1, 1, 100);
    bounds.attempts = bound(line, "attempts", 3, 1, 100);
    bounds.leaves = bound(line, "leaves", 0, 0, Bounds::kMostClients);
    bounds.takes_again = line.has("again");
    if (!asks && line.get("strategy") == "exhaustive") searches = searches_for(algorithm);
    const auto& lengths = line.get("lengths");
    const std::array<std::string_view, 2> known{"any", "exact"};
    if (std::find(known.begin(), known.end(), lengths) == known.end()) {
        throw UsageError(unknown_word("lengths", lengths, known));
    }
    const UnequalClients unequal = unequal_clients_for(line, algorithm);
    for (Bounds& search : searches) {
        search.unequal = unequal_of_search(unequal, search);
        search.servers = topology_for(algorithm, topology_option(line), {}).masters;
        search.any_length = lengths == "any";
        if (line.has("outage")) search.outage = time_of(line, "outage", "120ms");
        if (line.has("timeout")) {
            search.command_timeout = search.patient_timeout = time_of(line, "timeout", "2400ms");
        }
        if (line.has("latency")) search.latency = latency_of(line, search);
    }
    const std::uint32_t most = std::ranges::max(searches, {}, &Bounds::clients).clients;
    check_clients_are_there(unequal, most, Bounds::kMostClients);
    return searches;
}

std::vector<FaultBudget> faults_of(const CommandLine& line, const Algorithm& algorithm) {
    if (!line.has("faults")) {
        std::vector<FaultBudget> claims = claims_of(algorithm);
        if (line.get("strategy") == "exhaustive") return claims;
        // Random schedules may have all faults at once.
        FaultBudget all;
        for (const HazardRow& row : kHazards) {
            for (const FaultBudget& claim : claims) all[row.hazard] += claim[row.hazard];
        }
        return {all};
    }
    const FaultBudget faults = parse_faults(line.get("faults"));
    topology_for(algorithm, topology_option(line), faults);
    for (const HazardRow& row : kHazards) {
        const std::string_view why = why_not_in(FaultWorld::search, row.hazard);
        if (faults[row.hazard] > 0 && !why.empty()) {
            throw UsageError("fault '" + std::string(row.name) +
                             "' cannot be made in a search: " + std::string(why) +
                             "; right would be " + right_instead(row.hazard, "a campaign"));
        }
        if (faults[row.hazard] <= Budgets::kMost) continue;
        throw UsageError("--faults: " + std::string(row.name) + " can strike " +
                         std::to_string(Budgets::kMost) + " times at most in a search");
    }
    return {faults};
}

}  // namespace locklab
