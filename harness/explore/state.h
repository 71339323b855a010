// A state of the search: everything that the future depends on, as a row of numbers. Environment,
// clients and servers are each numbered separately, so tables grow with the variety of each, and
// not with their product.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "harness/explore/bounds.h"

namespace locklab {

using ServerNumbers = std::array<std::uint32_t, Bounds::kMostServers>;

struct State {
    std::uint32_t environment = 0;
    std::array<std::uint32_t, Bounds::kMostClients> clients{};  ///< 0 if there is none
    ServerNumbers servers{};                                    ///< 0 if there is none

    bool operator==(const State&) const = default;
};

/// A state packed into few bits: packed states are equal if and only if the states are.
template <std::size_t kWords>
struct PackedState {
    std::array<std::uint64_t, kWords> words{};

    bool operator==(const PackedState& other) const {
        std::uint64_t differs = 0;
        for (std::size_t i = 0; i < kWords; ++i) differs |= words[i] ^ other.words[i];
        return differs == 0;
    }
    /// Well mixed in every bit, and the same on every platform.
    std::uint64_t hash() const {
        std::uint64_t hash = 0x9E3779B97F4A7C15U;
        for (const std::uint64_t word : words) {
            hash = (hash ^ hash >> 32 ^ word) * 0xD6E8FEB86659FD93U;
        }
        hash = (hash ^ hash >> 32) * 0x9FB21C651E98DF25U;
        return hash ^ hash >> 28;
    }
};

/// How many bits each number of a row has, and how many words a row has: fixed for a whole search.
/// One server and four clients, or five in another mix, fit into 128 bits.
class Packing {
public:
    explicit Packing(const Bounds& bounds)
        : clients_(bounds.clients),
          servers_(bounds.nodes()),
          words_(clients_ + servers_ <= kNarrow ? 2 : 4),
          bits_(std::min(kMostBits, (64 * words_ - kLeastOfEnvironment) / (clients_ + servers_))),
          of_environment_(std::min(32U, 64 * words_ - bits_ * (clients_ + servers_))) {}

    /// Words of 64 bits: 2 or 4.
    std::uint32_t words() const { return words_; }
    /// The most states of clients and of servers. A number of all ones is never used.
    std::uint32_t most() const { return (1U << bits_) - 1; }
    std::uint32_t most_environments() const {
        return static_cast<std::uint32_t>((std::uint64_t{1} << of_environment_) - 1);
    }

    template <std::size_t kWords>
    PackedState<kWords> packed(const State& state) const {
        PackedState<kWords> row;
        for (std::uint32_t i = servers_; i-- > 0;) push(row, bits_, state.servers[i]);
        for (std::uint32_t i = clients_; i-- > 0;) push(row, bits_, state.clients[i]);
        push(row, of_environment_, state.environment);
        return row;
    }
    template <std::size_t kWords>
    State unpacked(PackedState<kWords> row) const {
        State state;
        state.environment = pop(row, of_environment_);
        for (std::uint32_t i = 0; i < clients_; ++i) state.clients[i] = pop(row, bits_);
        for (std::uint32_t i = 0; i < servers_; ++i) state.servers[i] = pop(row, bits_);
        return state;
    }

private:
    static constexpr std::uint32_t kNarrow = 5;  ///< most clients plus servers in two words
    static constexpr std::uint32_t kMostBits = 24;
    static constexpr std::uint32_t kLeastOfEnvironment = 18;

    template <std::size_t kWords>
    static void push(PackedState<kWords>& row, std::uint32_t bits, std::uint32_t number) {
        auto& words = row.words;
        for (std::size_t i = kWords - 1; i > 0; --i) {
            words[i] = words[i] << bits | words[i - 1] >> (64 - bits);
        }
        words[0] = words[0] << bits | number;
    }
    template <std::size_t kWords>
    static std::uint32_t pop(PackedState<kWords>& row, std::uint32_t bits) {
        auto& words = row.words;
        const auto number = static_cast<std::uint32_t>(words[0] & ((std::uint64_t{1} << bits) - 1));
        for (std::size_t i = 0; i + 1 < kWords; ++i) {
            words[i] = words[i] >> bits | words[i + 1] << (64 - bits);
        }
        words[kWords - 1] >>= bits;
        return number;
    }

    std::uint32_t clients_;
    std::uint32_t servers_;
    std::uint32_t words_;
    std::uint32_t bits_;
    std::uint32_t of_environment_;
};

}  // namespace locklab
