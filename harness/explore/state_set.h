// Every state that a search has met, and how it came there, in shards by hash: one thread fills a
// shard, so several can work at once, and which states there are in which order does not depend on
// how many do.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/explore/state.h"
#include "harness/explore/step.h"

namespace locklab {

/// Names a state: its shard, and its place in the order in which that was filled.
using StateId = std::uint32_t;
inline constexpr StateId kNoState = 0xFFFFFFFF;

/// A state that was met again or for the first time, on its way to its shard.
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
    /// No state: no client has so many.
    static constexpr Packed kEmpty = [] {
        Packed empty;
        empty.words.fill(~std::uint64_t{0});
        return empty;
    }();

    static std::uint32_t shard_of(std::uint64_t hash) {
        return static_cast<std::uint32_t>(hash >> 60);
    }

    /// kNoState if it was there. `hash` is its own. To be called for each shard by one thread at a
    /// time.
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
        LOCKLAB_ASSERT(index < kIndexMask);
        shard.table[place] = candidate.state;
        shard.origins.push_back({candidate.parent, candidate.step});
        shard.digest += hash;
        return number << kIndexBits | index;
    }
    /// What insert() will look at is fetched from memory.
    void prefetch(std::uint64_t hash) const {
        const Shard& shard = shards_[shard_of(hash)];
        __builtin_prefetch(&shard.table[hash & (shard.table.size() - 1)]);
    }

    StateId parent(StateId id) const { return origin(id).parent; }
    const Step& step(StateId id) const { return origin(id).step; }

    std::uint64_t size() const {
        std::uint64_t sum = 0;
        for (const Shard& shard : shards_) sum += shard.origins.size();
        return sum;
    }
    /// Bytes.
    std::uint64_t memory() const {
        std::uint64_t sum = 0;
        for (const Shard& shard : shards_) {
            sum +=
                shard.origins.capacity() * sizeof(Origin) + shard.table.capacity() * sizeof(Packed);
        }
        return sum;
    }
    /// The same for the same states, however they were met.
    std::uint64_t digest() const {
        std::uint64_t sum = 0;
        for (const Shard& shard : shards_) sum += shard.digest;
        return sum;
    }

private:
    static constexpr std::uint32_t kIndexBits = 28;
    static constexpr std::uint32_t kIndexMask = (1U << kIndexBits) - 1;
    struct Origin {
        StateId parent;
        Step step;
    };
    struct Shard {
        std::vector<Packed> table = std::vector<Packed>(1U << 8, kEmpty);
        std::vector<Origin> origins;
        std::uint64_t digest = 0;
    };

    const Origin& origin(StateId id) const {
        return shards_[id >> kIndexBits].origins[id & kIndexMask];
    }

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
