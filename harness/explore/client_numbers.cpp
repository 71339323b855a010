// Which states of a client have one number, and what those have in common that differ only by a
// renaming of servers.

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "harness/explore/client_table.h"

namespace locklab {

namespace {

template <class Value>
std::uint64_t hash_of_bytes(const Value& value) {
    static_assert(std::has_unique_object_representations_v<Value>);
    const auto* raw = reinterpret_cast<const std::byte*>(&value);
    std::uint64_t hash = 0x9E3779B97F4A7C15U;
    for (std::size_t i = 0; i < sizeof value; i += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, raw + i, std::min(sizeof word, sizeof value - i));
        hash = (hash ^ word) * 0xD6E8FEB86659FD93U;
    }
    return hash ^ hash >> 32;
}

}  // namespace

std::size_t ClientTable::Hash::operator()(const ClientState& state) const {
    return hash_of_bytes(state);
}

std::size_t ClientTable::Hash::operator()(const AtServer& its) const { return hash_of_bytes(its); }

void ClientTable::add_like(std::uint32_t number) {
    const ClientState state = states_[number];
    const std::uint32_t servers = slots_ / kTasks;
    Like& like = like_.emplace_back();
    for (std::uint32_t i = 0; i < servers; ++i) {
        like.at_server[i] =
            at_servers_.number_of(locklab::at_server(state, clients_.at(state.node), i));
    }
    const ServerOrder from = sorted_servers(servers, [&](std::uint8_t a, std::uint8_t b) {
        return like.at_server[a] < like.at_server[b];
    });
    const std::uint32_t least = from == kSameServers ? number : renamed(number, from);
    like_[number].least = least;
}

std::optional<std::uint32_t> ClientTable::known_renamed(std::uint32_t state,
                                                        const ServerOrder& from) const {
    return from == kSameServers ? state : renamed_.find(renamed_key(state, from));
}

std::uint32_t ClientTable::renamed(std::uint32_t state, const ServerOrder& from) {
    if (const auto known = known_renamed(state, from)) return *known;
    const ClientState& its = states_[state];
    const std::uint32_t number = number_of(with_servers(its, clients_.at(its.node), from));
    renamed_.add(renamed_key(state, from), number);
    return number;
}

}  // namespace locklab
