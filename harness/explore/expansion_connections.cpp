// What a server answers, and what becomes of a client's transactions when it gives up on an answer,
// or is gone: it leaves its connections. The transaction of a request on its way goes on at the
// server until that has run.

#include <algorithm>
#include <stdexcept>
#include <string>

#include "harness/explore/expansion.h"

namespace locklab {

void Expansion::leave(State& state, std::uint32_t server, std::uint32_t client,
                      std::uint32_t connection, std::uint32_t as) {
    if (!complete_) return;
    std::uint32_t& number = state.servers[server];
    const std::optional<std::uint32_t> after =
        teacher_ == nullptr
            ? servers_.known_left(number, client, connection, as)
            : std::optional(teacher_->servers.leave(number, client, connection, as));
    complete_ = after.has_value();
    if (after) number = *after;
}

std::uint16_t Expansion::leave_connections(State& state, const Step& step) {
    const auto has_open = [](const ServerState& server) { return server.data.open != 0; };
    const bool gives_up = step.kind == Step::Kind::expire;
    const bool is_of_worker = !gives_up || task_of(step.slot) == 0;
    if (!is_of_worker || std::ranges::none_of(servers(state), has_open)) return 0;
    const ClientState& own = client_state(state, step.client);
    const LocalWait& wait = clients_.at(own.node).waits[0];
    std::uint32_t on_their_way = 0;  // a bit for each server
    std::uint32_t used = 0;
    for (const LateRequest& late : own.late) {
        used |= 1U << late.left;
        if (is_waited_for(own, wait, late)) {
            on_their_way |= 1U << server_of(late.slot_plus_1 - 1U);
        }
    }
    std::uint32_t left = 1;
    while ((used >> left & 1U) != 0) ++left;
    std::uint16_t change = 0;
    const bool sends_again = gives_up && own.status[step.slot] == kSilentRetry;
    for (std::uint32_t i = 0; i < rules_.nodes(); ++i) {
        const std::uint32_t slot = slot_of(0, i);
        const bool is_silent = own.status[slot] == kSilent || own.status[slot] == kSilentRetry;
        const bool stays = sends_again ? slot != step.slot : gives_up && !is_silent;
        if (stays) continue;
        const bool goes_on = (on_their_way >> i & 1U) != 0 &&
                             server_.in_transaction(servers(state)[i].data, step.client);
        if (goes_on && left > connection::kMostLeft) {
            throw std::length_error("more than " + std::to_string(connection::kMostLeft) +
                                    " connections that a client left with a transaction open are "
                                    "not searched");
        }
        if (goes_on) change = static_cast<std::uint16_t>(left);
        leave(state, i, step.client, connection::kPresent, goes_on ? left : 0);
    }
    return change;
}

Expansion::Answer Expansion::ask_oracle(const State& state, std::uint8_t client,
                                        std::uint16_t command) const {
    if (!complete_) return {};
    const bool takes = clients_.command(command)[0] == "TAKE";
    const bool own = row(state, client).has_oracle;
    const bool yes = takes ? rules_.oracle_is_free(state) : own;
    return {yes ? clients_.one() : clients_.zero()};
}

Expansion::Answer Expansion::execute(State& state, std::uint8_t client, std::uint16_t command,
                                     std::uint32_t server, std::uint32_t connection) {
    if (!complete_) return {};
    if (servers(state)[server].down > 0) return {clients_.unknown()};
    std::uint32_t& number = state.servers[server];
    const std::optional<ServerTable::Result> result =
        teacher_ == nullptr
            ? servers_.known(number, command, client, connection)
            : std::optional(teacher_->servers.execute(number, command, client, connection));
    complete_ = result.has_value();
    if (!result) return {};
    number = result->server;
    return {result->reply, result->takes};
}

}  // namespace locklab
