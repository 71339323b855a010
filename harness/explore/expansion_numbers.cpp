// Turns what a step changes into the numbers of a state; keeps one of several states that differ
// only by a renaming of clients.

#include "harness/explore/expansion.h"
#include "harness/explore/symmetry.h"

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

std::optional<Permutation> Expansion::reduce(State& state) {
    const std::uint32_t clients = rules_.bounds().clients;
    if (clients_.any_names_others()) {
        for (std::uint32_t i = 0; i < clients; ++i) {
            if (row(state, i).names_others) return kIdentity;
        }
    }
    const std::uint32_t nodes = rules_.nodes();
    const auto names_any = [&] {
        return std::ranges::any_of(
            std::span(state.servers).first(nodes),
            [this](std::uint32_t server) { return servers_.names_any(server); });
    };
    const std::optional<Permutation> order = locklab::reduce(
        state, clients, names_any, [&](ServerNumbers servers, const Permutation& from) {
            for (std::uint32_t i = 0; i < nodes; ++i) {
                const std::optional<std::uint32_t> number =
                    teacher_ == nullptr
                        ? servers_.known_renamed(servers[i], from)
                        : std::optional(teacher_->servers.renamed(servers[i], from));
                if (!number) return std::optional<ServerNumbers>();
                servers[i] = *number;
            }
            return std::optional(servers);
        });
    if (order && clients_.has_fences()) {
        set(state, environments_.tokens(environments_.at(state.environment)).renamed(*order));
        if (!complete_) return std::nullopt;
    }
    return order;
}

}  // namespace locklab
