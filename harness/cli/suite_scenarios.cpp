// The suite's plays: every expectation of every scenario, in both worlds.

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "harness/cli/interrupt.h"
#include "harness/cli/scenario_library.h"
#include "harness/cli/suite.h"

namespace locklab {

namespace {

bool can_be_live(const Scenario& scenario, const SuiteContext& context) {
    return scenario.sim_only.empty() && (context.redis.empty() || !restarts_server(scenario));
}

void add_plays(std::vector<PlayedScenario> plays, const PlayOptions& options, SuiteResult& result) {
    const std::string keys_left = play_all(plays, options);
    if (!keys_left.empty()) std::fprintf(stderr, "locklab: %s\n", keys_left.c_str());
    std::move(plays.begin(), plays.end(), std::back_inserter(result.plays));
}

}  // namespace

void run_scenario_section(const SuiteContext& context, LiveServer& server, SuiteResult& result) {
    result.scenarios = scenarios_named("all");
    add_plays(expected_plays(result.scenarios), PlayOptions(), result);
    if (interrupt_flag()) return;
    std::vector<PlayedScenario> live = expected_plays(result.scenarios);
    // In a suite that is only tried out, each scenario is played live with one lock.
    const bool tried_out = context.size.is_tried_out();
    std::erase_if(live, [&](const PlayedScenario& played) {
        const bool first = played.expected == &played.scenario->expectations.front();
        return !can_be_live(*played.scenario, context) || (tried_out && !first);
    });
    PlayOptions options;
    options.world = WorldKind::live;
    options.ttl = kScenarioTtl;
    options.server = &server;
    options.live_options = live_options(options.ttl, context.redis);
    add_plays(std::move(live), options, result);
}

}  // namespace locklab
