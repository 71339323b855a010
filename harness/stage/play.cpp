#include "harness/stage/play.h"

#include <algorithm>
#include <stdexcept>

#include "harness/check/outcome.h"
#include "harness/stage/director.h"
#include "harness/stage/live_world.h"
#include "harness/stage/rehearsal.h"
#include "harness/stage/scenario_times.h"
#include "harness/stage/sim_world.h"

namespace locklab {

namespace {

constexpr int kAttempts = 5;
/// The longest play on a real Redis.
constexpr Duration kLongestLive = std::chrono::hours(1);
/// Live: a delay of more than a TTL over this may have changed the outcome. Scripts keep twice as
/// far from every deadline.
constexpr int kTtlPerLag = 20;

bool has_line(const Scenario& scenario, Line::Verb verb) {
    return std::ranges::any_of(scenario.script,
                               [verb](const Line& line) { return line.verb == verb; });
}

Play play(const Scenario& scenario, StageConfig config, StageWorld& world) {
    const Duration patience = patience_for(scenario);
    Director director(scenario, patience, commands_of_watchdogs_alone(config));
    Stage stage(std::move(config), world, director);
    director.play(stage);
    Play play;
    play.scene = stage.take_scene(patience);
    play.scene.title = scenario.title;
    for (const Role& role : scenario.cast) play.scene.names.push_back(role.name);
    play.observed = outcome_of(play.scene.history, scenario.ttl);
    play.judgement = judge(play.scene.history);
    play.passed_over = director.passed_over();
    const bool clock_was_set = world.clock_step() > scenario.ttl / kTtlPerLag;
    play.late = clock_was_set || world.worst_lag() > scenario.ttl / kTtlPerLag;
    if (play.late) play.why_disturbed = "the machine was late each time";
    if (clock_was_set) play.why_disturbed = "somebody set the machine's clock each time";
    if (const std::string trouble = world.trouble(); !trouble.empty()) play.why_disturbed = trouble;
    if (play.judgement.shows_nothing) {
        play.disturbed = true;
        play.why_disturbed = play.judgement.why_unknown;
    }
    return play;
}

Play play_live_once(const Scenario& scenario, const StageConfig& config, const Endpoint& endpoint) {
    if (!needs_own_servers(scenario)) {
        LiveWorld world(endpoint);
        return play(scenario, config, world);
    }
    using enum ManagedServers::ItsClock;
    const bool jumps = has_line(scenario, Line::Verb::redis_clock_jumps);
    ManagedServers servers(config.topology, jumps ? can_be_wrong : right);
    LiveWorld world(servers, has_line(scenario, Line::Verb::redis_restores));
    return play(scenario, config, world);
}

}  // namespace

const Expectation* expectation_of(const Scenario& scenario, std::string_view algorithm) {
    const auto found = std::find_if(scenario.expectations.begin(), scenario.expectations.end(),
                                    [&](const Expectation& e) { return e.algorithm == algorithm; });
    return found == scenario.expectations.end() ? nullptr : &*found;
}

bool needs_own_servers(const Scenario& scenario) {
    using enum Line::Verb;
    return scenario.topology.nodes() > 1 || has_line(scenario, redis_restarts) ||
           has_line(scenario, redis_restores) || has_line(scenario, redis_flushed) ||
           has_line(scenario, redis_clock_jumps);
}

Play play_in_sim(const Scenario& scenario, const Algorithm& algorithm) {
    SimWorld world;
    return play(scenario, stage_for(algorithm, scenario, scenario.ttl), world);
}

Play play_live(const Scenario& scenario, const Algorithm& algorithm, const Endpoint& endpoint,
               Duration ttl, const Key& key, const Outcome& in_sim) {
    const Scenario shorter = in_proportion(scenario, ttl);
    if (patience_for(shorter) > kLongestLive) {
        throw std::runtime_error(scenario.name +
                                 " may take more than an hour of real time; right would be a "
                                 "shorter --ttl, or --world sim");
    }
    StageConfig config = stage_for(algorithm, shorter, scenario.ttl);
    Play play;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        // A new name without data of earlier attempts; it is cleared along with `key`.
        config.key = Key{key.name + std::to_string(attempt)};
        play = play_live_once(shorter, config, endpoint);
        play.disturbed = !play.why_disturbed.empty() && play.observed != in_sim;
        if (!play.disturbed) break;
    }
    return play;
}

}  // namespace locklab
