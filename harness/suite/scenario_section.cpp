// The suite's plays: every expectation of every scenario, in both worlds.

#include <algorithm>
#include <iterator>

#include "algorithms/registry.h"
#include "harness/play/scenario_library.h"
#include "harness/suite/races.h"
#include "harness/suite/suite.h"

namespace locklab {

namespace {

bool can_be_live(const Scenario& scenario, const SuiteContext& context) {
    return scenario.sim_only.empty() && (context.redis.empty() || !needs_own_servers(scenario));
}

/// With the locks that the suite's files list.
std::vector<PlayedScenario> plays_of_suite(const std::vector<Scenario>& scenarios) {
    std::vector<PlayedScenario> plays = expected_plays(scenarios);
    std::erase_if(plays, [](const PlayedScenario& played) {
        return std::ranges::any_of(other_forms(), [&](const Algorithm& other) {
            return other.name == played.algorithm->name;
        });
    });
    return plays;
}

void play(std::vector<PlayedScenario>& plays, const PlayOptions& options,
          const SuiteProgress& progress) {
    const std::string keys_left = play_all(plays, options);
    if (!keys_left.empty()) progress.tell(keys_left);
}

void show(const std::vector<PlayedScenario>& plays, SuiteResult& result) {
    result.plays.clear();
    for (const PlayedScenario& played : plays) {
        if (played.done) result.plays.push_back(play_row(played));
    }
    result.races = races_of(plays);
}

}  // namespace

void run_scenario_section(const SuiteContext& context, SuiteServer& servers,
                          SuiteProgress& progress, SuiteResult& result) {
    const std::vector<Scenario> scenarios = scenarios_named("all");
    std::vector<PlayedScenario> plays = plays_of_suite(scenarios);
    PlayOptions in_sim;
    in_sim.watcher = context.watcher;
    play(plays, in_sim, progress);
    show(plays, result);
    if (context.watcher.stopped()) return;
    LiveServer* const server = servers.get();
    if (server == nullptr) {
        result.missing.push_back({"live plays of the scenarios", servers.why_not()});
        return;
    }
    std::vector<PlayedScenario> live = plays_of_suite(scenarios);
    // If the suite is only tried out, each scenario is played live with one lock.
    const bool tried_out = context.size.is_tried_out();
    std::erase_if(live, [&](const PlayedScenario& played) {
        const bool first = played.expected == &played.scenario->expectations.front();
        return !can_be_live(*played.scenario, context) || (tried_out && !first);
    });
    PlayOptions options;
    options.world = WorldKind::live;
    options.ttl = kScenarioTtl;
    options.server = server;
    options.live_options = live_options(options.ttl, context.redis);
    options.watcher = context.watcher;
    play(live, options, progress);
    std::move(live.begin(), live.end(), std::back_inserter(plays));
    show(plays, result);
}

}  // namespace locklab
