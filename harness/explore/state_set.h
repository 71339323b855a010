// Every state that a search has met, in the order in which it met them, and how it came there.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "harness/explore/rules.h"

namespace locklab {

class StateSet {
public:
    /// Of each state, the first `bytes` count.
    explicit StateSet(std::size_t bytes) : bytes_(bytes), table_(1U << 16, kNone) {}

    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    /// True if the state is new.
    bool insert(const State& state, std::uint32_t parent, const Step& step) {
        if (size() * 2 >= table_.size()) grow();
        std::size_t place = hash_of(&state) & (table_.size() - 1);
        while (table_[place] != kNone) {
            if (std::memcmp(at(table_[place]), &state, bytes_) == 0) return false;
            place = (place + 1) & (table_.size() - 1);
        }
        table_[place] = static_cast<std::uint32_t>(size());
        const auto* raw = reinterpret_cast<const std::byte*>(&state);
        states_.insert(states_.end(), raw, raw + bytes_);
        parents_.push_back({parent, step});
        return true;
    }

    std::size_t size() const { return parents_.size(); }
    std::size_t memory() const {
        return states_.capacity() + parents_.capacity() * sizeof(Origin) +
               table_.capacity() * sizeof(std::uint32_t);
    }
    State state(std::uint32_t i) const {
        State state;
        std::memcpy(static_cast<void*>(&state), at(i), bytes_);
        return state;
    }
    std::uint32_t parent(std::uint32_t i) const { return parents_[i].parent; }
    const Step& step(std::uint32_t i) const { return parents_[i].step; }
    /// The same for any order in which the states were met.
    std::uint64_t digest() const {
        std::uint64_t sum = 0;
        for (std::uint32_t i = 0; i < size(); ++i) sum += hash_of(at(i));
        return sum;
    }

private:
    struct Origin {
        std::uint32_t parent;
        Step step;
    };

    const std::byte* at(std::uint32_t i) const { return states_.data() + i * bytes_; }

    std::uint64_t hash_of(const void* state) const {
        const auto* raw = static_cast<const std::byte*>(state);
        std::uint64_t hash = 0x9E3779B97F4A7C15U;
        for (std::size_t i = 0; i < bytes_; i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, raw + i, std::min<std::size_t>(8, bytes_ - i));
            hash = (hash ^ word) * 0xD6E8FEB86659FD93U;
            hash ^= hash >> 32;
        }
        return hash;
    }

    void grow() {
        std::vector<std::uint32_t> bigger(table_.size() * 4, kNone);
        for (std::uint32_t i = 0; i < size(); ++i) {
            std::size_t place = hash_of(at(i)) & (bigger.size() - 1);
            while (bigger[place] != kNone) place = (place + 1) & (bigger.size() - 1);
            bigger[place] = i;
        }
        table_ = std::move(bigger);
    }

    std::size_t bytes_;
    std::vector<std::uint32_t> table_;
    std::vector<std::byte> states_;
    std::vector<Origin> parents_;
};

}  // namespace locklab
