// What an exhaustive search keeps of one level of states, and what its threads pass to each other.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "harness/explore/rules.h"
#include "harness/explore/state_set.h"

namespace locklab {

/// A state that is not expanded yet.
template <std::size_t kWords>
struct Waiting {
    PackedState<kWords> state;
    StateId id = kNoState;
};

/// A try that is refused falsely, and the state in which it begins.
struct RefusedTry {
    StateId id = kNoState;
    FalseRefusal what;
};

/// States that one thread found, by shard.
template <std::size_t kWords>
struct ByShard {
    std::array<std::vector<Candidate<kWords>>, StateSet<kWords>::kShards> shards;
    std::vector<RefusedTry> refused;
};

/// New states of a shard, and the first of them in which too many clients are inside.
template <std::size_t kWords>
struct Fresh {
    std::vector<Waiting<kWords>> states;
    std::optional<StateId> violation;
};

}  // namespace locklab
