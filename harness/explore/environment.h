// What all clients share besides the servers: the time, the faults that may still strike, and which
// fencing tokens clients were told.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "harness/core/assert.h"
#include "harness/core/hazard.h"
#include "harness/explore/interned.h"
#include "harness/explore/token_order.h"

namespace locklab {

/// How many of each fault may still strike, and how many clients may still leave without a release,
/// in four bits each. All clients share one budget. Dealing it out at the start would show the
/// same, by witnesses as short, but in up to three times as many states, since it tells clients
/// apart. That pays only once steps of clients are to be independent.
class Budgets {
public:
    static constexpr std::uint32_t kMost = 15;

    bool any() const { return (words_[0] | words_[1]) != 0; }
    std::uint32_t left(Hazard hazard) const { return at(place_of(hazard)); }
    void set(Hazard hazard, std::uint32_t count) { set(place_of(hazard), count); }
    void spend(Hazard hazard) { spend(place_of(hazard)); }
    std::uint32_t leaves() const { return at(kLeaves); }
    void set_leaves(std::uint32_t count) { set(kLeaves, count); }
    void spend_leave() { spend(kLeaves); }
    /// Well mixed only after hashing.
    std::uint64_t bits() const { return words_[0] ^ (words_[1] << 1 | words_[1] >> 63); }

    bool operator==(const Budgets&) const = default;

private:
    static constexpr std::uint32_t kInWord = 16;
    static constexpr std::uint32_t kLeaves = 2 * kInWord - 1;
    static_assert(kMostHazards <= kLeaves);

    static std::uint32_t place_of(Hazard hazard) { return static_cast<std::uint32_t>(hazard); }
    static std::uint32_t shift_of(std::uint32_t place) { return 4 * (place % kInWord); }
    std::uint32_t at(std::uint32_t place) const {
        return static_cast<std::uint32_t>(words_[place / kInWord] >> shift_of(place)) & kMost;
    }
    void set(std::uint32_t place, std::uint32_t count) {
        LOCKLAB_ASSERT(count <= kMost && at(place) == 0);
        words_[place / kInWord] |= std::uint64_t{count} << shift_of(place);
    }
    void spend(std::uint32_t place) {
        words_[place / kInWord] -= std::uint64_t{1} << shift_of(place);
    }

    std::array<std::uint64_t, 2> words_{};
};

struct Environment {
    Budgets budget;
    std::uint32_t now = 0;     ///< ms since the run began; 0 if the lock reads no clock
    std::uint32_t tokens = 0;  ///< number of the TokenOrder

    bool operator==(const Environment&) const = default;
};

class EnvironmentTable {
public:
    explicit EnvironmentTable(std::uint32_t most) : most_(most) { orders_.add(TokenOrder()); }

    const Environment& at(std::uint32_t number) const { return environments_[number]; }
    std::uint32_t number_of(const Environment& environment) {
        if (environments_.size() >= most_) throw std::length_error("too many budgets and times");
        return environments_.number_of(environment);
    }
    /// Nothing if the environment was never met. Safe from several threads while none adds.
    std::optional<std::uint32_t> known_number_of(const Environment& environment) const {
        return environments_.find(environment);
    }
    std::size_t size() const { return environments_.size(); }

    /// Which fencing tokens clients were told. In a table of its own, since most locks draw none.
    const TokenOrder& tokens(const Environment& environment) const {
        return orders_[environment.tokens];
    }
    std::uint32_t number_of(const TokenOrder& tokens) { return orders_.number_of(tokens); }
    std::optional<std::uint32_t> known_number_of(const TokenOrder& tokens) const {
        return orders_.find(tokens);
    }

private:
    struct Hash {
        std::size_t operator()(const Environment& environment) const {
            std::uint64_t hash = environment.budget.bits() ^ 0x9E3779B97F4A7C15U;
            const std::uint64_t rest = std::uint64_t{environment.tokens} << 32 | environment.now;
            hash = (hash * 0xD6E8FEB86659FD93U ^ rest) * 0xD6E8FEB86659FD93U;
            return hash ^ hash >> 32;
        }
        std::size_t operator()(const TokenOrder& tokens) const {
            const std::uint64_t hash = tokens.hash();
            return hash ^ hash >> 32;
        }
    };

    const std::uint32_t most_;
    Interned<Environment, Hash> environments_;
    Interned<TokenOrder, Hash> orders_;
};

}  // namespace locklab
