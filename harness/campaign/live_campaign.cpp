#include "harness/campaign/live_campaign.h"

#include <algorithm>
#include <stdexcept>

#include "harness/campaign/swarm.h"
#include "harness/check/disturbance.h"
#include "harness/core/random_choices.h"
#include "harness/explore/outside.h"
#include "harness/inclusion/schedule.h"
#include "harness/live/probe.h"
#include "harness/store/redis/key_shadow.h"

namespace locklab {

namespace {

/// Runs under way at once: enough to wait together, few enough for two cores to serve.
constexpr std::size_t kParallel = 100;
/// Runs that share what befalls their server.
constexpr std::size_t kParallelShared = 48;
/// Runs that are kept until they can be judged, which takes too long to be done meanwhile.
constexpr std::size_t kBatch = 400;
/// A process that was late by more than a TTL over this paused all of its clients.
constexpr int kTtlPerLag = 5;

struct Episode {
    std::size_t cell = 0;
    std::uint64_t run = 0;
};

LiveConfig live_config(const RunSpec& spec, std::uint64_t seed, std::uint64_t run) {
    LiveConfig config{spec, spec};
    config.seed = seed;
    config.run = run;
    RandomChoices choices(seed, run);
    config.plan = draw_plan(spec.budget, fault_scale(spec), choices);
    config.draw = draw_of(spec);
    return config;
}

void leave_out_shared(std::vector<PlannedFault>& plan) {
    std::erase_if(plan, [](const PlannedFault& f) { return kSharedHazards.contains(f.hazard); });
}

/// Every run of every cell, the cells in turn, so that all are under way together.
std::vector<Episode> episodes_of(const std::vector<LiveCell>& cells) {
    std::vector<Episode> episodes;
    std::uint64_t most = 0;
    for (const LiveCell& cell : cells) most = std::max(most, cell.runs);
    for (std::uint64_t run = 0; run < most; ++run) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (run < cells[i].runs) episodes.push_back({i, run});
        }
    }
    return episodes;
}

/// `scale`: its TTL.
std::optional<Disturbance> disturbance_in(Duration scale, const LiveResult& result) {
    using Kind = Disturbance::Kind;
    std::optional<Disturbance> found = disturbance_of(result.history);
    const bool broke = found && found->kind == Kind::unanswered && !result.disconnected.empty();
    if (broke) return Disturbance{Kind::disconnected, result.disconnected};
    const bool late = result.worst_lag > scale / kTtlPerLag;
    if (late && !found) return Disturbance{};
    return found;
}

/// False if the server was gone, or refused to serve.
bool take_result(LiveCell& cell, const RunSpec& spec, LiveResult result) {
    const std::optional<Draw>& draw = result.history.draw;
    const Duration scale = draw ? draw->ttl : cell.spec.scale;
    if (const auto disturbance = disturbance_in(scale, result)) {
        cell.count.leave_out_disturbed(*disturbance);
        return disturbance->kind == Disturbance::Kind::late;
    }
    if (result.server_lost) {
        cell.count.cut_short("the server did not answer any more");
        return false;
    }
    cell.inclusion.add(find_inclusion(result.history, spec, result.worst_lag), result.history.run);
    tell_effects(result.history);
    const RunReport report = report_run(result.history);
    cell.count.add(report);
    if (cell.count.witness() == report.run) cell.witness = std::move(result.history);
    return true;
}

/// Why the servers cannot be gone on with; empty if they can.
std::string trouble_with(const LiveServer& server) {
    try {
        for (const Endpoint& endpoint : server.endpoints()) probe(endpoint);
    } catch (const std::runtime_error& error) {
        std::string why = error.what();
        if (why.ends_with('.')) why.pop_back();
        return why;
    }
    return {};
}

void cut_short(std::vector<LiveCell>& cells, const std::string& why) {
    for (LiveCell& cell : cells) cell.count.cut_short(why);
}

}  // namespace

std::string run_live_campaign(std::vector<LiveCell>& cells, std::uint64_t seed, LiveServer& server,
                              const LiveProgress& progress) {
    for (LiveCell& cell : cells) cell.count.show_nothing(keeps_outside(*cell.spec.algorithm));
    const std::vector<Episode> episodes = episodes_of(cells);
    const bool shares = std::any_of(cells.begin(), cells.end(), [](const LiveCell& cell) {
        return std::ranges::any_of(kHazards, [&](const HazardRow& row) {
            return kSharedHazards.contains(row.hazard) && cell.spec.budget[row.hazard] > 0;
        });
    });
    for (const LiveCell& cell : cells) server.start(cell.spec.topology);
    const std::size_t batch = shares ? kParallelShared : kBatch;
    std::size_t done = 0;
    std::string keys_left;
    for (std::size_t first = 0; first < episodes.size(); first += batch) {
        const std::size_t end = std::min(first + batch, episodes.size());
        std::vector<LiveConfig> configs;
        std::vector<RunSpec> specs;
        RandomChoices draw(seed, first);
        const std::size_t bringer =
            first + draw.pick(ChoiceKind::fault, static_cast<std::uint32_t>(end - first));
        for (std::size_t i = first; i < end; ++i) {
            const LiveCell& cell = cells[episodes[i].cell];
            const std::uint64_t run = episodes[i].run;
            specs.push_back(cell.of_run ? cell.of_run(run, first) : cell.spec);
            configs.push_back(live_config(specs.back(), seed, run));
            if (i != bringer) leave_out_shared(configs.back().plan);
        }
        std::vector<std::optional<LiveResult>> results(configs.size());
        const LiveLoop::Summary summary = server.loop().run(
            std::move(configs), kParallel, [&](std::size_t index, LiveResult result) {
                results[index] = std::move(result);
                if (progress) progress(++done, episodes.size());
            });
        bool served = results.empty();
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (!results[i]) continue;
            const bool well =
                take_result(cells[episodes[first + i].cell], specs[i], std::move(*results[i]));
            served = served || well;
        }
        if (!summary.keys_left.empty()) keys_left = summary.keys_left;
        const std::string trouble =
            served || summary.interrupted ? std::string() : trouble_with(server);
        if (!summary.interrupted && trouble.empty()) continue;
        cut_short(cells, trouble);
        break;
    }
    return keys_left;
}

}  // namespace locklab
