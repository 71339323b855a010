// Clients differ only in their numbers, so of all states that are equal up to a renaming of clients
// one is kept: about one in n! of them. So do servers, if the lock asks all of them each time, has
// a new object for each try, and does the same in whatever order they answer.
#pragma once

#include <algorithm>
#include <optional>

#include "harness/explore/server_model.h"
#include "harness/explore/state.h"

namespace locklab {

/// What each client and each server of a state was called before.
struct Renaming {
    Permutation clients = kIdentity;
    ServerOrder servers = kSameServers;

    /// First `this`, then `next`.
    Renaming then(const Renaming& next) const {
        Renaming both;
        for (std::size_t i = 0; i < clients.size(); ++i) both.clients[i] = clients[next.clients[i]];
        for (std::size_t i = 0; i < servers.size(); ++i) both.servers[i] = servers[next.servers[i]];
        return both;
    }
};

/// Calls `visit` with each order in which the clients are sorted, until it returns false.
template <class Before, class Visit>
void each_order(std::uint32_t clients, Before before, Visit visit) {
    Permutation from = kIdentity;
    do {
        const bool is_sorted = std::is_sorted(from.begin(), from.begin() + clients, before);
        if (is_sorted && !visit(from)) return;
    } while (std::next_permutation(from.begin(), from.begin() + clients));
}

/// Sorts the clients by their states. Of several such orders, takes the one with the least server
/// numbers, since servers may tell clients apart whose states are equal. `rename` gives these
/// numbers, or nothing if one is not known.
template <class Rename>
std::optional<Permutation> least_order(const State& state, std::uint32_t clients, Rename rename) {
    const auto before = [&](std::uint8_t a, std::uint8_t b) {
        return state.clients[a] < state.clients[b];
    };
    bool is_known = true;
    std::optional<Permutation> best;
    std::optional<ServerNumbers> least;
    each_order(clients, before, [&](const Permutation& from) {
        const std::optional<ServerNumbers> servers = rename(state.servers, from);
        is_known = servers.has_value();
        if (!is_known || (least && *least <= *servers)) return is_known;
        best = from;
        least = servers;
        return true;
    });
    return is_known ? best : std::nullopt;
}

/// Replaces a state by the one that is kept; its client i was client `from[i]` before. Nothing if
/// `rename` does not know a number. `names_any`: whether the servers may tell clients apart.
template <class Names, class Rename>
std::optional<Permutation> reduce(State& state, std::uint32_t clients, Names names_any,
                                  Rename rename) {
    bool is_ordered = true;
    for (std::uint32_t i = 1; i < clients; ++i) {
        is_ordered = is_ordered && state.clients[i - 1] < state.clients[i];
    }
    if (is_ordered) return kIdentity;
    Permutation from = kIdentity;
    bool is_tie = false;
    for (std::uint32_t i = 1; i < clients; ++i) {
        std::uint32_t k = i;
        for (; k > 0 && state.clients[from[k - 1]] > state.clients[i]; --k) from[k] = from[k - 1];
        from[k % from.size()] = static_cast<std::uint8_t>(i);
        // Their order does not matter if servers name no client.
        is_tie = is_tie || (k > 0 && state.clients[from[k - 1]] == state.clients[i]);
    }
    const bool is_named = names_any();
    if (is_tie && is_named) {
        const std::optional<Permutation> best = least_order(state, clients, rename);
        if (!best) return std::nullopt;
        from = *best;
    }
    if (from == kIdentity) return from;
    if (is_named) {
        const std::optional<ServerNumbers> servers = rename(state.servers, from);
        if (!servers) return std::nullopt;
        state.servers = *servers;
    }
    const auto numbers = state.clients;
    for (std::uint32_t i = 0; i < clients; ++i) state.clients[i] = numbers[from[i]];
    return from;
}

}  // namespace locklab
