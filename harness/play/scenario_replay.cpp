#include "harness/play/scenario_replay.h"

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/live/live_server.h"
#include "harness/play/named_algorithm.h"
#include "harness/play/scenario_library.h"
#include "harness/play/scenario_plays.h"
#include "harness/stage/scenario_reader.h"

namespace locklab {

Scenario scenario_in(const ScenarioTrace& trace, const std::string& file) {
    Scenario scenario = read_scenario(trace.yaml, file + ", yaml", algorithm_names());
    scenario.name = trace.scenario;
    return scenario;
}

Scene replay_scenario(const ScenarioTrace& trace, const std::string& file, WorldKind world,
                      const std::string& redis, const Watcher& watcher) {
    const Algorithm& algorithm = require_algorithm(trace.algorithm);
    std::vector<Scenario> one{scenario_in(trace, file)};
    if (world == WorldKind::live) leave_out_sim_only(one, redis.empty(), false);
    std::vector<PlayedScenario> plays = plays_of(one, {&algorithm});
    std::optional<LiveServer> server;
    PlayOptions options;
    options.world = world;
    options.ttl = kScenarioTtl;
    options.watcher = watcher;
    if (world == WorldKind::live) options.server = &server.emplace(redis, watcher);
    const std::string keys_left = play_all(plays, options);
    if (!keys_left.empty()) throw std::runtime_error(keys_left);
    return std::move(plays[0].play.scene);
}

}  // namespace locklab
