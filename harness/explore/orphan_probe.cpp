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
    Key key{environment.now, rules_.oracle_is_free(state), {}};
    for (std::uint32_t i = 0; i < rules_.nodes(); ++i) {
        std::get<2>(key).push_back(rules_.server_state(state, i).data.bits());
    }
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
    const Bounds& bounds = rules_.bounds();
    std::vector<ServerState> servers;
    for (std::uint32_t i = 0; i < rules_.nodes(); ++i)
        servers.push_back(rules_.server_state(state, i));
    // It comes to whoever is master now.
    const bool failed_over = rules_.nodes() > bounds.servers && !servers[bounds.servers].follows();
    const auto ask = [&](std::uint32_t server, const Command& command) {
        ServerData& data = servers[failed_over ? bounds.servers : server].data;
        const ServerModel::Answer answer = rules_.server().execute(data, command);
        data = answer.data;
        return answer.reply;
    };
    const auto now = static_cast<std::int32_t>(rules_.environment(state).now);
    Duration waited{0};
    const auto look = [&] {
        actor.expect(ClientModel::clock_at(now) + waited, ClientModel::monotonic_at(now) + waited,
                     false);
    };
    look();
    actor.start();
    for (std::uint32_t moves = 0; actor.grants() == 0 && waited <= horizon;) {
        count_newcomers_move(moves);
        const Actor::Shown shown = actor.only_wait();
        Reply reply;
        if (shown.is_timer) {
            waited += shown.sleep;
            for (ServerState& server : servers) {
                // Whatever it is, it has expired by then.
                const auto slept = std::min<std::int64_t>(shown.sleep / kMs, ServerData::kNever);
                server.data =
                    rules_.server().shifted(server.data, static_cast<std::int32_t>(slept));
            }
        } else if (shown.node == kOracle) {
            reply = Reply::integer(rules_.oracle_is_free(state) ? 1 : 0);
        } else if (shown.to_all) {
            std::vector<Reply> all;
            for (std::uint32_t i = 0; i < actor.servers(); ++i)
                all.push_back(ask(i, actor.command_of(shown)));
            reply = Reply::array(std::move(all));
        } else {
            reply = ask(shown.node.value, actor.command_of(shown));
        }
        look();
        actor.observe(shown, std::move(reply));
    }
    if (actor.grants() == 0) return std::nullopt;
    return waited;
}

}  // namespace locklab
