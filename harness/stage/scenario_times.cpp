#include "harness/stage/scenario_times.h"

#include <algorithm>
#include <chrono>

namespace locklab {

namespace {

class Scale {
public:
    Scale(Duration from, Duration to)
        : from_(static_cast<long double>(from.count())),
          to_(static_cast<long double>(to.count())) {}
    Duration operator()(Duration time) const {
        // The product of two long times would overflow an integer.
        const long double scaled = static_cast<long double>(time.count()) * to_ / from_;
        return Duration(static_cast<std::int64_t>(scaled));
    }

private:
    long double from_;
    long double to_;
};

LockOptions options_for(const Algorithm& algorithm, const Scenario& scenario, Duration written) {
    LockOptions options = algorithm.defaults;
    if (options.ttl != Duration::zero()) {
        options.renewal = Scale(options.ttl, scenario.ttl)(options.renewal);
        options.ttl = scenario.ttl;
    }
    const Scale scale(written, scenario.ttl);
    options.clock_unit = std::max(scale(options.clock_unit), Duration(1));
    return options;
}

}  // namespace

Scenario in_proportion(Scenario scenario, Duration ttl) {
    const Scale scale(scenario.ttl, ttl);
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

StageConfig stage_for(const Algorithm& algorithm, const Scenario& scenario, Duration written) {
    StageConfig config;
    config.algorithm = &algorithm;
    config.options = options_for(algorithm, scenario, written);
    config.clients = static_cast<std::uint32_t>(scenario.cast.size());
    config.topology = scenario.topology;
    config.resources = scenario.locks;
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

Duration patience_for(const Scenario& scenario) {
    Duration patience = 3 * scenario.ttl;
    for (const Line& line : scenario.script) patience += std::chrono::abs(line.amount);
    for (const Role& role : scenario.cast)
        patience += role.job + std::chrono::abs(role.clock_offset) +
                    3 * role.ttl.value_or(Duration::zero());
    return patience;
}

}  // namespace locklab
