// A state of the search: everything that the future depends on, as numbers of what it is made of.
#pragma once

#include <array>
#include <cstdint>

#include "harness/explore/environment.h"
#include "harness/explore/part_table.h"

namespace locklab {

struct State {
    std::uint32_t environment = 0;
    std::array<std::uint32_t, Bounds::kMostClients> clients{};  ///< parts; 0 if there is none

    bool operator==(const State&) const = default;
};

/// A state in as few bits as name it: they are equal where the states are.
struct PackedState {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    bool operator==(const PackedState&) const = default;
    /// Well mixed in every bit, and the same on every platform.
    std::uint64_t hash() const {
        std::uint64_t hash = (low ^ 0x9E3779B97F4A7C15U) * 0xD6E8FEB86659FD93U;
        hash = (hash ^ hash >> 32 ^ high) * 0xD6E8FEB86659FD93U;
        hash = (hash ^ hash >> 32) * 0x9FB21C651E98DF25U;
        return hash ^ hash >> 28;
    }
};

/// Parts have 24 bits.
inline PackedState packed(const State& state) {
    static_assert(PartTable::kMostParts <= 1U << 24 && Bounds::kMostClients == 4);
    const auto& [a, b, c, d] = state.clients;
    return {state.environment | std::uint64_t{a} << 32 | std::uint64_t{b} << 56,
            std::uint64_t{b} >> 8 | std::uint64_t{c} << 16 | std::uint64_t{d} << 40};
}

inline State unpacked(const PackedState& packed) {
    constexpr std::uint64_t kPart = 0xFFFFFF;
    const auto part = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits & kPart); };
    State state;
    state.environment = static_cast<std::uint32_t>(packed.low);
    state.clients = {part(packed.low >> 32), part(packed.low >> 56 | packed.high << 8),
                     part(packed.high >> 16), part(packed.high >> 40)};
    return state;
}

}  // namespace locklab
