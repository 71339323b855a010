// What an exhaustive search keeps of one level of states, and what its threads, and ranks, pass to
// each other.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "harness/explore/rules.h"
#include "harness/explore/state_set.h"

namespace locklab {

/// A state that is not expanded yet.
template <std::size_t kWords>
struct Waiting {
    PackedState<kWords> state;
    StateId id = kNoState;
    std::uint32_t place = 0;  ///< in its level
};

/// States of one level in the order of their places. `size` counts those of all ranks.
template <std::size_t kWords>
struct Level {
    std::vector<Waiting<kWords>> states;
    std::uint64_t size = 0;
};

/// A try that is refused falsely, and the state in which it begins.
struct RefusedTry {
    StateId id = kNoState;
    FalseRefusal what;
};

/// Tries that are refused falsely: how many, and the first of them.
struct RefusedTries {
    std::uint64_t of_own = 0;
    std::uint64_t of_nobodys = 0;
    std::optional<RefusedTry> first;

    void add(StateId id, const FalseRefusal& what) {
        ++(what.of_own ? of_own : of_nobodys);
        if (!first) first = RefusedTry{id, what};
    }
    void add(const RefusedTries& later) {
        of_own += later.of_own;
        of_nobodys += later.of_nobodys;
        if (!first) first = later.first;
    }
};

/// What is left to do after states were expanded by what was known.
template <std::size_t kWords>
struct Expanded {
    std::vector<Waiting<kWords>> unknown;  ///< these were not, for want of knowledge
    std::vector<Waiting<kWords>> at_rest;  ///< of these it is to be asked who gets the lock
    RefusedTries refused;

    void add(const Expanded& later) {
        unknown.insert(unknown.end(), later.unknown.begin(), later.unknown.end());
        at_rest.insert(at_rest.end(), later.at_rest.begin(), later.at_rest.end());
        refused.add(later.refused);
    }
};

/// States that one thread found, or one rank, by shard.
template <std::size_t kWords>
using ByShard = std::array<std::vector<Candidate<kWords>>, StateSet<kWords>::kShards>;

/// New states of a shard, and the first of them in which too many clients are inside.
template <std::size_t kWords>
struct Fresh {
    std::vector<Waiting<kWords>> states;
    std::optional<StateId> violation;
};

}  // namespace locklab
