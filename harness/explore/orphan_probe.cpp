#include "harness/explore/orphan_probe.h"

#include <algorithm>

namespace locklab {

namespace {

constexpr std::chrono::milliseconds kMs{1};

/// The client has not begun, or comes again as a new one.
bool is_as_new(const ClientState& client) {
    return ClientModel::is_first(client.node) || ClientModel::is_ended(client.node);
}

/// No server has a token of the client, so it recognises none.
bool has_new_tokens(const ClientState& client) {
    return client.node != ClientModel::kEndedWithTokens;
}

}  // namespace

OrphanProbe::OrphanProbe(const Algorithm& algorithm, Rules& rules)
    : algorithm_(algorithm),
      rules_(rules),
      patient_(newcomer_bounds(rules.bounds())),
      returning_(returning_bounds(rules.bounds())) {}

/// A client that is as good as new differs from a newcomer only by its number and its clock.
OrphanProbe::Who OrphanProbe::who(const State& state, std::uint32_t client) const {
    if (client == kNewcomer) return {kNewcomer, 0};
    const std::uint32_t number = state.clients[client];
    const ClientState& its = rules_.client_table().state(number);
    const bool is_anybody =
        is_as_new(its) && has_new_tokens(its) && !rules_.clients().is_apart() && its.clock == 0;
    return is_anybody ? Who(kNewcomer, 0) : Who(client, number);
}

OrphanProbe::Key OrphanProbe::key_of(const State& state, const Who& who) const {
    Key key{rules_.environment(state).now, rules_.oracle_is_free(state), {}, who};
    for (std::uint32_t i = 0; i < rules_.nodes(); ++i) {
        const ServerData& data = rules_.server_state(state, i).data;
        std::get<2>(key).push_back(data.bits());
        std::get<2>(key).push_back(data.open);
    }
    return key;
}

std::optional<Duration> OrphanProbe::wait(const State& state, std::uint32_t client) {
    const Who who = this->who(state, client);
    const Key key = key_of(state, who);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    return known_[key] = try_for(state, who);
}

std::optional<Duration> OrphanProbe::known_wait(const State& state, std::uint32_t client) const {
    const auto known = known_.find(key_of(state, who(state, client)));
    return known == known_.end() ? std::nullopt : known->second;
}

std::optional<Duration> OrphanProbe::try_for(const State& state, const Who& who) {
    const Duration horizon = newcomer_patience(rules_.bounds());
    const auto [client, number] = who;
    const bool is_newcomer = client == kNewcomer;
    const ClientState its = is_newcomer ? ClientState() : rules_.client_table().state(number);
    const bool is_new = is_newcomer || is_as_new(its);
    // A newcomer has the number after all clients. A new client has tokens of its own.
    const Actor::Identity identity{ClientId{is_newcomer ? patient_.clients : client},
                                   is_new && has_new_tokens(its) ? Bounds::kMostClients : client,
                                   &rules_.names()};
    Actor actor(algorithm_, is_newcomer ? patient_ : returning_, identity);
    if (!is_new) rules_.run_to(actor, its.node, client);
    const Bounds& bounds = rules_.bounds();
    std::vector<ServerState> servers;
    for (std::uint32_t i = 0; i < rules_.nodes(); ++i)
        servers.push_back(rules_.server_state(state, i));
    // The client asks the current master.
    const bool failed_over = rules_.nodes() > bounds.servers && !servers[bounds.servers].follows();
    const auto ask = [&](std::uint32_t server, const Command& command) {
        ServerData& data = servers[failed_over ? bounds.servers : server].data;
        const ServerModel::Answer answer = rules_.server().execute(data, command, client);
        data = answer.data;
        return answer.reply;
    };
    const auto now = static_cast<std::int32_t>(rules_.environment(state).now);
    Duration waited{0};
    const auto look = [&] {
        actor.expect(ClientModel::clock_at(now + its.clock) + waited,
                     ClientModel::monotonic_at(now) + waited, false);
    };
    const std::uint32_t grants = actor.grants();
    const auto is_granted = [&] { return actor.grants() > grants; };
    look();
    if (is_new) {
        actor.try_on();
        actor.start();
    } else {
        actor.come_again();
    }
    for (std::uint32_t moves = 0; !is_granted() && waited <= horizon;) {
        count_newcomers_move(moves);
        const Actor::Shown shown = actor.only_wait();
        Reply reply;
        if (shown.is_timer) {
            waited += shown.sleep;
            for (ServerState& server : servers) {
                // Clamped: anything that expires has expired by then.
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
    if (!is_granted()) return std::nullopt;
    return waited;
}

}  // namespace locklab
