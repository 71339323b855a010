#include "harness/stage/play.h"

#include <algorithm>
#include <stdexcept>

#include "harness/check/outcome.h"
#include "harness/stage/director.h"
#include "harness/stage/live_world.h"
#include "harness/stage/sim_world.h"

namespace locklab {

namespace {

constexpr int kAttempts = 5;
/// Nobody waits for longer for one play on a real Redis.
constexpr Duration kLongestLive = std::chrono::hours(1);
/// Live: being late by more than a TTL over this may have changed the outcome. Scripts keep
/// twice as far from every deadline.
constexpr int kTtlPerLag = 20;

/// A scenario's times, in proportion.
class Scale {
public:
    Scale(Duration from, Duration to)
        : from_(static_cast<long double>(from.count())),
          to_(static_cast<long double>(to.count())) {}
    Duration operator()(Duration time) const {
        // In whole numbers the product of two long times would not fit.
        const long double scaled = static_cast<long double>(time.count()) * to_ / from_;
        return Duration(static_cast<std::int64_t>(scaled));
    }

private:
    long double from_;
    long double to_;
};

Scenario scaled(Scenario scenario, const Scale& scale) {
    scenario.ttl = scale(scenario.ttl);
    for (std::optional<Duration>* time :
         {&scenario.retry, &scenario.timeout, &scenario.job_limit}) {
        if (*time) **time = scale(**time);
    }
    for (Role& role : scenario.cast) {
        role.clock_offset = scale(role.clock_offset);
        role.job = scale(role.job);
        if (role.ttl) role.ttl = scale(*role.ttl);
        if (role.renewal) role.renewal = scale(*role.renewal);
    }
    for (Line& line : scenario.script) line.amount = scale(line.amount);
    return scenario;
}

LockOptions options_for(const Algorithm& algorithm, const Scenario& scenario, const Scale& scale) {
    LockOptions options = algorithm.defaults;
    if (options.ttl != Duration::zero()) {
        options.renewal = Scale(options.ttl, scenario.ttl)(options.renewal);
        options.ttl = scenario.ttl;
    }
    options.clock_unit = std::max(scale(options.clock_unit), Duration(1));
    return options;
}

StageConfig config_for(const Algorithm& algorithm, const Scenario& scenario, const Scale& scale) {
    StageConfig config;
    config.algorithm = &algorithm;
    config.options = options_for(algorithm, scenario, scale);
    config.clients = static_cast<std::uint32_t>(scenario.cast.size());
    config.topology = scenario.topology;
    config.command_timeout = scenario.timeout.value_or(scenario.ttl / 10);
    for (const Role& role : scenario.cast) {
        StageClient client;
        client.clock_offset = role.clock_offset;
        client.workload.job = {role.job, role.job};
        client.workload.wait = {WaitPolicy::Kind::fixed,
                                scenario.retry.value_or(scenario.ttl / 40)};
        client.workload.job_limit = scenario.job_limit.value_or(Duration::zero());
        client.workload.always_releases = role.always_releases;
        if (role.ttl || role.renewal) {
            const ClientId id{static_cast<std::uint32_t>(config.roles.size())};
            config.unequal.push_back({id, role.ttl, role.renewal, {}, {}});
        }
        config.roles.push_back(client);
    }
    for (const Line& line : scenario.script) {
        if (line.verb != Line::Verb::takes_again) continue;
        config.roles[line.client.value].workload.takes_again = Workload::Again::always;
    }
    return config;
}

/// Longer than whatever the script itself keeps somebody waiting.
Duration patience_for(const Scenario& scenario) {
    Duration patience = 3 * scenario.ttl;
    for (const Line& line : scenario.script) patience += std::chrono::abs(line.amount);
    for (const Role& role : scenario.cast)
        patience += role.job + std::chrono::abs(role.clock_offset) +
                    3 * role.ttl.value_or(Duration::zero());
    return patience;
}

Play play(const Scenario& scenario, StageConfig config, StageWorld& world) {
    const Duration patience = patience_for(scenario);
    Director director(scenario, patience);
    Stage stage(std::move(config), world, director);
    director.play(stage);
    Play play;
    play.scene = stage.take_scene(patience);
    play.scene.title = scenario.title;
    for (const Role& role : scenario.cast) play.scene.names.push_back(role.name);
    play.observed = outcome_of(play.scene.history, scenario.ttl);
    play.judgement = judge(play.scene.history);
    play.passed_over = director.passed_over();
    play.late = world.worst_lag() > scenario.ttl / kTtlPerLag;
    if (play.late) play.why_disturbed = "the machine was late each time";
    if (const std::string trouble = world.trouble(); !trouble.empty()) play.why_disturbed = trouble;
    if (const std::string& missing = play.scene.history.not_modelled; !missing.empty()) {
        play.disturbed = true;
        play.why_disturbed = "the model of Redis does not know " + missing;
    }
    return play;
}

Play play_live_once(const Scenario& scenario, const StageConfig& config, const Endpoint& endpoint) {
    if (!needs_own_servers(scenario)) {
        LiveWorld world(endpoint);
        return play(scenario, config, world);
    }
    const auto servers = start_servers(config.topology);
    LiveWorld world(servers);
    return play(scenario, config, world);
}

}  // namespace

const Expectation* expectation_of(const Scenario& scenario, std::string_view algorithm) {
    const auto found = std::find_if(scenario.expectations.begin(), scenario.expectations.end(),
                                    [&](const Expectation& e) { return e.algorithm == algorithm; });
    return found == scenario.expectations.end() ? nullptr : &*found;
}

bool needs_own_servers(const Scenario& scenario) {
    const bool restarts =
        std::any_of(scenario.script.begin(), scenario.script.end(),
                    [](const Line& line) { return line.verb == Line::Verb::redis_restarts; });
    return restarts || scenario.topology.nodes() > 1;
}

Play play_in_sim(const Scenario& scenario, const Algorithm& algorithm) {
    SimWorld world;
    const Scale same(scenario.ttl, scenario.ttl);
    return play(scenario, config_for(algorithm, scenario, same), world);
}

Play play_live(const Scenario& scenario, const Algorithm& algorithm, const Endpoint& endpoint,
               Duration ttl, const Key& key, const Outcome& in_sim) {
    const Scale scale(scenario.ttl, ttl);
    const Scenario shorter = scaled(scenario, scale);
    if (patience_for(shorter) > kLongestLive) {
        throw std::runtime_error(scenario.name +
                                 " may take more than an hour of real time; right would be a "
                                 "shorter --ttl, or --world sim");
    }
    StageConfig config = config_for(algorithm, shorter, scale);
    Play play;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        // A name that no attempt before has left anything under, and that is cleared with `key`.
        config.key = Key{key.name + std::to_string(attempt)};
        play = play_live_once(shorter, config, endpoint);
        play.disturbed = !play.why_disturbed.empty() && play.observed != in_sim;
        if (!play.disturbed) break;
    }
    return play;
}

}  // namespace locklab
