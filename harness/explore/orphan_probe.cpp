#include "harness/explore/orphan_probe.h"

#include <algorithm>

#include "harness/explore/puppet.h"

namespace locklab {

namespace {

constexpr std::chrono::milliseconds kMs{1};

}  // namespace

OrphanProbe::OrphanProbe(const Algorithm& algorithm, Rules& rules)
    : algorithm_(algorithm), rules_(rules), patient_(newcomer_bounds(rules.bounds())) {}

std::optional<Duration> OrphanProbe::wait(const State& state) {
    const Setting& setting = rules_.setting(state);
    const auto key = std::tuple(setting.server.shape, setting.server.remaining_ms, setting.now,
                                rules_.oracle_is_free(state));
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    return known_[key] = try_for(state);
}

std::optional<Duration> OrphanProbe::try_for(const State& state) {
    const Duration horizon = newcomer_patience(rules_.bounds());
    // It comes after all others, and has tokens of its own.
    const Puppet::Persona newcomer{ClientId{patient_.clients}, Bounds::kMostClients,
                                   &rules_.names()};
    Puppet puppet(algorithm_, patient_, newcomer);
    ServerData server = rules_.setting(state).server;
    const auto now = static_cast<std::int32_t>(rules_.setting(state).now);
    Duration waited{0};
    const auto look = [&] {
        puppet.expect(ClientModel::clock_at(now) + waited, ClientModel::monotonic_at(now) + waited,
                      false);
    };
    look();
    puppet.start();
    while (puppet.grants() == 0 && waited <= horizon) {
        const Puppet::Shown shown = puppet.only_wait();
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
        puppet.observe(shown.task, shown.ticket, std::move(reply));
    }
    if (puppet.grants() == 0) return std::nullopt;
    return waited;
}

}  // namespace locklab
