// Turns what a step changes into the numbers of a state; keeps one of several states that differ
// only by a renaming of clients, or of servers that are alike.

#include <tuple>

#include "harness/explore/expansion.h"

namespace locklab {

void Expansion::set(State& state, const Environment& environment) {
    if (environment == environments_.at(state.environment)) return;
    const std::optional<std::uint32_t> number =
        teacher_ == nullptr ? environments_.known_number_of(environment)
                            : std::optional(teacher_->environments.number_of(environment));
    if (number) state.environment = *number;
    complete_ = complete_ && number.has_value();
}

void Expansion::set(State& state, const TokenOrder& tokens) {
    const std::optional<std::uint32_t> number =
        teacher_ == nullptr ? environments_.known_number_of(tokens)
                            : std::optional(teacher_->environments.number_of(tokens));
    complete_ = complete_ && number.has_value();
    if (!number) return;
    Environment environment = environments_.at(state.environment);
    environment.tokens = *number;
    set(state, environment);
}

void Expansion::set(State& state, std::uint32_t server, const ServerState& after) {
    if (after == servers_.at(state.servers[server])) return;
    const std::optional<std::uint32_t> number =
        teacher_ == nullptr ? servers_.known_number_of(after)
                            : std::optional(teacher_->servers.number_of(after));
    if (number) state.servers[server] = *number;
    complete_ = complete_ && number.has_value();
}

void Expansion::spend(State& state, Hazard hazard) {
    Environment environment = environments_.at(state.environment);
    environment.budget.spend(hazard);
    set(state, environment);
}

void Expansion::change(State& state, std::uint32_t client, const Change& change) {
    if (!complete_) return;
    const std::uint32_t now = environments_.at(state.environment).now;
    std::uint32_t& number = state.clients[client];
    const std::uint32_t before = number;
    if (teacher_ != nullptr) {
        number = teacher_->client_table.next(number, change, now);
    } else if (const auto known = client_table_.known(number, change, now)) {
        number = *known;
    } else {
        complete_ = false;
    }
    if (!clients_.has_fences() || !complete_) return;
    const std::uint32_t node = client_table_.state(number).node;
    const std::uint64_t fence = clients_.at(node).fence;
    if (fence == 0 || node == client_table_.state(before).node) return;
    TokenOrder tokens = environments_.tokens(environments_.at(state.environment));
    tokens.tell(client, fence);
    set(state, tokens);
}

bool Expansion::may_rename_clients(const State& state) const {
    if (!rules_.is_symmetric()) return false;
    if (!clients_.any_names_others()) return true;
    for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) {
        if (row(state, i).names_others) return false;
    }
    return true;
}

bool Expansion::servers_name_any(const State& state) const {
    return std::ranges::any_of(std::span(state.servers).first(rules_.nodes()),
                               [this](std::uint32_t server) { return servers_.names_any(server); });
}

/// The numbers of servers once clients are renamed.
std::optional<ServerNumbers> Expansion::renamed(ServerNumbers servers, const Permutation& from) {
    for (std::uint32_t i = 0; i < rules_.nodes(); ++i) {
        const std::optional<std::uint32_t> number =
            teacher_ == nullptr ? servers_.known_renamed(servers[i], from)
                                : std::optional(teacher_->servers.renamed(servers[i], from));
        if (!number) return std::nullopt;
        servers[i] = *number;
    }
    return servers;
}

std::optional<Renaming> Expansion::reduce(State& state) {
    std::optional<Renaming> is_now = Renaming();
    if (clients_.has_like_servers()) {
        is_now = reduce_servers_too(state);
    } else if (may_rename_clients(state)) {
        const std::optional<Permutation> order = locklab::reduce(
            state, rules_.bounds().clients, [&] { return servers_name_any(state); },
            [&](const ServerNumbers& servers, const Permutation& from) {
                return renamed(servers, from);
            });
        if (!order) return std::nullopt;
        is_now->clients = *order;
    }
    if (is_now && is_now->clients != kIdentity && clients_.has_fences()) {
        set(state,
            environments_.tokens(environments_.at(state.environment)).renamed(is_now->clients));
        if (!complete_) return std::nullopt;
    }
    return is_now;
}

/// Sorts the clients by what is left of their states if servers have no names; of several such
/// orders, takes the one that leads to the least state.
std::optional<Renaming> Expansion::reduce_servers_too(State& state) {
    const bool may_rename = may_rename_clients(state);
    const bool is_named = may_rename && servers_name_any(state);
    bool is_known = true;
    std::optional<Renaming> best;
    State least;
    const auto try_order = [&](const Permutation& from) {
        Renaming tried{from, kSameServers};
        State after = state;
        is_known = rename_clients(after, from, is_named);
        if (!is_known) return false;
        tried.servers = order_of_servers(after);
        is_known = rename_servers(after, tried.servers);
        if (!is_known) return false;
        const auto rank = [](const State& of) { return std::tie(of.servers, of.clients); };
        if (best && rank(least) <= rank(after)) return true;
        best = tried;
        least = after;
        return true;
    };
    const auto before = [&](std::uint8_t a, std::uint8_t b) {
        return client_table_.least(state.clients[a]) < client_table_.least(state.clients[b]);
    };
    if (may_rename) {
        each_order(rules_.bounds().clients, before, try_order);
    } else {
        try_order(kIdentity);
    }
    if (!is_known) return std::nullopt;
    state = least;
    return best;
}

bool Expansion::rename_clients(State& state, const Permutation& from, bool is_named) {
    if (from == kIdentity) return true;
    if (is_named) {
        const std::optional<ServerNumbers> servers = renamed(state.servers, from);
        if (!servers) return false;
        state.servers = *servers;
    }
    const auto numbers = state.clients;
    for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) state.clients[i] = numbers[from[i]];
    return true;
}

/// By its own state, then by what each client has under way there.
ServerOrder Expansion::order_of_servers(const State& state) const {
    const auto is_before = [&](std::uint8_t a, std::uint8_t b) {
        if (state.servers[a] != state.servers[b]) return state.servers[a] < state.servers[b];
        for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) {
            const std::uint32_t of_a = client_table_.at_server(state.clients[i], a);
            const std::uint32_t of_b = client_table_.at_server(state.clients[i], b);
            if (of_a != of_b) return of_a < of_b;
        }
        return false;
    };
    return sorted_servers(rules_.nodes(), is_before);
}

bool Expansion::rename_servers(State& state, const ServerOrder& from) {
    if (from == kSameServers) return true;
    const ServerNumbers servers = state.servers;
    for (std::uint32_t i = 0; i < rules_.nodes(); ++i) state.servers[i] = servers[from[i]];
    for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) {
        std::uint32_t& client = state.clients[i];
        const std::optional<std::uint32_t> number =
            teacher_ == nullptr ? client_table_.known_renamed(client, from)
                                : std::optional(teacher_->client_table.renamed(client, from));
        if (!number) return false;
        client = *number;
    }
    return true;
}

}  // namespace locklab
