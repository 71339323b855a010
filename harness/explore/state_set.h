// Every state that a search has met, and how it got there, in shards by hash. One thread fills a
// shard, so several can work at once, and the order of states in a shard does not depend on the
// number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "harness/explore/state.h"
#include "harness/explore/step.h"

namespace locklab {

/// Identifies a state: its shard, and its position in the order in which the shard was filled.
using StateId = std::uint32_t;
inline constexpr StateId kNoState = 0xFFFFFFFF;

/// A state, new or known, on its way to its shard.
template <std::size_t kWords>
struct Candidate {
    PackedState<kWords> state;
    StateId parent = kNoState;
    Step step;
};

template <std::size_t kWords>
class StateSet {
public:
    using Packed = PackedState<kWords>;
    static constexpr std::uint32_t kShards = 16;
    /// Stands for no state: client numbers never reach it.
    static constexpr Packed kEmpty = [] {
        Packed empty;
        empty.words.fill(~std::uint64_t{0});
        return empty;
    }();

    static std::uint32_t shard_of(std::uint64_t hash) {
        return static_cast<std::uint32_t>(hash >> 60);
    }

    /// kNoState if the state was there. `hash` is its hash. Only one thread at a time may use a
    /// shard. Throws std::length_error if there are too many.
    StateId insert(const Candidate<kWords>& candidate, std::uint64_t hash) {
        const std::uint32_t number = shard_of(hash);
        Shard& shard = shards_[number];
        if (shard.origins.size() * 2 >= shard.table.size()) grow(shard);
        const std::size_t mask = shard.table.size() - 1;
        std::size_t place = hash & mask;
        for (; !(shard.table[place] == kEmpty); place = (place + 1) & mask) {
            if (shard.table[place] == candidate.state) return kNoState;
        }
        const auto index = static_cast<std::uint32_t>(shard.origins.size());
        if (index == kIndexMask) throw std::length_error(kTooMany);
        shard.table[place] = candidate.state;
        shard.origins.push_back({candidate.parent, candidate.step});
        shard.digest += hash;
        return number << kIndexBits | index;
    }
    /// Fetches from memory what insert() will read.
    void prefetch(std::uint64_t hash) const {
        const Shard& shard = shards_[shard_of(hash)];
        __builtin_prefetch(&shard.table[hash & (shard.table.size() - 1)]);
    }

    /// How the search came to a state: from which one, by which step.
    struct Origin {
        StateId parent = kNoState;
        Step step;
    };
    const Origin& origin(StateId id) const {
        return shards_[shard_of_id(id)].origins[id & kIndexMask];
    }
    static std::uint32_t shard_of_id(StateId id) { return id >> kIndexBits; }
    StateId parent(StateId id) const { return origin(id).parent; }
    const Step& step(StateId id) const { return origin(id).step; }

    std::uint64_t size() const {
        std::uint64_t sum = 0;
        for (const Shard& shard : shards_) sum += shard.origins.size();
        return sum;
    }
    /// In bytes.
    std::uint64_t memory() const {
        std::uint64_t sum = 0;
        for (const Shard& shard : shards_) {
            if (shard.origins.empty()) continue;  // another rank has it
            sum +=
                shard.origins.capacity() * sizeof(Origin) + shard.table.capacity() * sizeof(Packed);
        }
        return sum;
    }
    /// Equal for equal sets of states, in whatever order they were met.
    std::uint64_t digest() const {
        std::uint64_t sum = 0;
        for (const Shard& shard : shards_) sum += shard.digest;
        return sum;
    }

private:
    static constexpr std::uint32_t kIndexBits = 28;
    static constexpr std::uint32_t kIndexMask = (1U << kIndexBits) - 1;
    static constexpr const char* kTooMany = "more than 4 thousand million states are not searched";
    struct Shard {
        std::vector<Packed> table = std::vector<Packed>(1U << 8, kEmpty);
        std::vector<Origin> origins;
        std::uint64_t digest = 0;
    };

    static void grow(Shard& shard) {
        std::vector<Packed> bigger(shard.table.size() * 2, kEmpty);
        const std::size_t mask = bigger.size() - 1;
        for (const Packed& state : shard.table) {
            if (state == kEmpty) continue;
            std::size_t place = state.hash() & mask;
            while (!(bigger[place] == kEmpty)) place = (place + 1) & mask;
            bigger[place] = state;
        }
        shard.table = std::move(bigger);
    }

    std::array<Shard, kShards> shards_;
};

}  // namespace locklab
