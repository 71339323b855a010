// Every state that a search has met, and how it came there, in shards by hash: one thread fills a
// shard, so several can work at once, and which states there are in which order does not depend on
// how many do.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "harness/explore/rules.h"

namespace locklab {

/// Names a state: its shard, and its place there.
using StateId = std::uint32_t;
inline constexpr StateId kNoState = 0xFFFFFFFF;

/// A state that was met again or for the first time, on its way to its shard.
struct Candidate {
    State state;
    std::uint64_t hash;
    StateId parent;
    Step step;
};

class StateSet {
public:
    static constexpr std::uint32_t kShards = 16;

    /// Of each state, the first `bytes` count.
    explicit StateSet(std::size_t bytes) : bytes_(bytes) {}

    std::uint64_t hash_of(const State& state) const {
        const auto* raw = reinterpret_cast<const std::byte*>(&state);
        std::uint64_t hash = 0x9E3779B97F4A7C15U;
        for (std::size_t i = 0; i < bytes_; i += 4) {
            std::uint32_t word = 0;
            std::memcpy(&word, raw + i, 4);
            hash = (hash ^ word) * 0xD6E8FEB86659FD93U;
        }
        return hash ^ hash >> 32;
    }
    static std::uint32_t shard_of(std::uint64_t hash) {
        return static_cast<std::uint32_t>(hash >> 60);
    }

    /// kNoState if it was there. To be called for each shard by one thread at a time.
    StateId insert(const Candidate& candidate) {
        const std::uint32_t number = shard_of(candidate.hash);
        Shard& shard = shards_[number];
        if (shard.origins.size() * 2 >= shard.table.size()) grow(shard);
        const std::size_t mask = shard.table.size() - 1;
        const auto tag = static_cast<std::uint32_t>(candidate.hash >> 24);
        std::size_t place = candidate.hash & mask;
        for (; shard.table[place].index != kNoState; place = (place + 1) & mask) {
            const Slot& slot = shard.table[place];
            const bool same = slot.tag == tag && std::memcmp(shard.at(slot.index, bytes_),
                                                             &candidate.state, bytes_) == 0;
            if (same) return kNoState;
        }
        const auto index = static_cast<std::uint32_t>(shard.origins.size());
        LOCKLAB_ASSERT(index < kIndexMask);
        shard.table[place] = {tag, index};
        const auto* raw = reinterpret_cast<const std::byte*>(&candidate.state);
        shard.states.insert(shard.states.end(), raw, raw + bytes_);
        shard.origins.push_back({candidate.parent, candidate.step});
        shard.digest += candidate.hash;
        return number << kIndexBits | index;
    }

    State state(StateId id) const {
        State state;
        std::memcpy(static_cast<void*>(&state), shard_with(id).at(id & kIndexMask, bytes_), bytes_);
        return state;
    }
    StateId parent(StateId id) const { return shard_with(id).origins[id & kIndexMask].parent; }
    const Step& step(StateId id) const { return shard_with(id).origins[id & kIndexMask].step; }

    std::uint64_t size() const {
        std::uint64_t sum = 0;
        for (const Shard& shard : shards_) sum += shard.origins.size();
        return sum;
    }
    /// Bytes.
    std::uint64_t memory() const {
        std::uint64_t sum = 0;
        for (const Shard& shard : shards_) {
            sum += shard.states.capacity() + shard.origins.capacity() * sizeof(Origin) +
                   shard.table.capacity() * sizeof(Slot);
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
    struct Slot {
        std::uint32_t tag = 0;
        std::uint32_t index = kNoState;
    };
    struct Shard {
        std::vector<Slot> table = std::vector<Slot>(1U << 10);
        std::vector<std::byte> states;
        std::vector<Origin> origins;
        std::uint64_t digest = 0;

        const std::byte* at(std::uint32_t index, std::size_t bytes) const {
            return states.data() + index * bytes;
        }
    };

    const Shard& shard_with(StateId id) const { return shards_[id >> kIndexBits]; }

    void grow(Shard& shard) {
        std::vector<Slot> bigger(shard.table.size() * 2);
        for (const Slot& slot : shard.table) {
            if (slot.index == kNoState) continue;
            State state;
            std::memcpy(static_cast<void*>(&state), shard.at(slot.index, bytes_), bytes_);
            std::size_t place = hash_of(state) & (bigger.size() - 1);
            while (bigger[place].index != kNoState) place = (place + 1) & (bigger.size() - 1);
            bigger[place] = slot;
        }
        shard.table = std::move(bigger);
    }

    std::size_t bytes_;
    std::array<Shard, kShards> shards_;
};

}  // namespace locklab
