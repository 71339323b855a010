#include "harness/explore/orphan_probe.h"

#include <algorithm>

#include "harness/explore/actor.h"

namespace locklab {

namespace {

constexpr std::chrono::milliseconds kMs{1};

}  // namespace

OrphanProbe::OrphanProbe(const Algorithm& algorithm, Rules& rules)
    : algorithm_(algorithm), rules_(rules), patient_(newcomer_bounds(rules.bounds())) {}

std::optional<Duration> OrphanProbe::wait(const State& state) {
    const Environment& environment = rules_.environment(state);
    const auto key = std::tuple(environment.server.shape, environment.server.remaining_ms,
                                environment.now, rules_.oracle_is_free(state));
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    return known_[key] = try_for(state);
}

std::optional<Duration> OrphanProbe::try_for(const State& state) {
    const Duration horizon = newcomer_patience(rules_.bounds());
    // It comes after all others, and has tokens of its own.
    const Actor::Identity newcomer{ClientId{patient_.clients}, Bounds::kMostClients,
                                   &rules_.names()};
    Actor actor(algorithm_, patient_, newcomer);
    ServerData server = rules_.environment(state).server;
    const auto now = static_cast<std::int32_t>(rules_.environment(state).now);
    Duration waited{0};
    const auto look = [&] {
        actor.expect(ClientModel::clock_at(now) + waited, ClientModel::monotonic_at(now) + waited,
                     false);
    };
    look();
    actor.start();
    while (actor.grants() == 0 && waited <= horizon) {
        const Actor::Shown shown = actor.only_wait();
        Reply reply;
        if (shown.is_timer) {
            waited += shown.sleep;
            server = rules_.server().later(server, static_cast<std::uint16_t>(shown.sleep / kMs));
        } else if (shown.node == kOracle) {
            reply = Reply::integer(rules_.oracle_is_free(state) ? 1 : 0);
        } else {
            std::tie(server, reply) = rules_.server().execute(server, shown.command);
        }
        look();
        actor.observe(shown.task, shown.ticket, std::move(reply));
    }
    if (actor.grants() == 0) return std::nullopt;
    return waited;
}

}  // namespace locklab
