// Plays the steps of a search on a stage: the same coroutines in a world of its own, with the model
// of Redis or a real one. What the search found is seen, and judged, independently.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/scene.h"
#include "harness/explore/evicted_keys.h"
#include "harness/explore/rules.h"
#include "harness/stage/stage.h"

namespace locklab {

/// A counterexample: lock, bounds, clocks, and steps.
struct Find {
    const Algorithm* algorithm = nullptr;
    Bounds bounds;
    std::vector<Duration> clock_offsets;  ///< of each client, from the start
    TokenStyle tokens = TokenStyle::same_head;
    std::vector<Step> steps;
    /// At the end one more client comes and tries, for longer than anything that a lock leaves
    /// behind lasts.
    bool newcomer = false;
    /// Or this client of the search tries on, once all others have left.
    std::optional<ClientId> waiter{};

    std::uint32_t clients() const { return bounds.clients + (newcomer ? 1 : 0); }
    /// Keys that its steps may evict, by their numbers.
    std::vector<std::string> evicted_keys() const {
        return keys_of(bounds.keys, bounds.clients, tokens);
    }
};

/// Plays the steps and returns the scene. Throws std::invalid_argument with one sentence if a step
/// cannot be made: the file was changed, or search and stage do not agree.
Scene play_steps(const Find& find, StageWorld& world, const Key& key);
/// The same on a stage from `make_stage`, which asks the player for the fault of each command.
using StageMaker =
    std::function<std::unique_ptr<PlayStage>(StageConfig config, CommandFaults& faults)>;
Scene play_steps(const Find& find, const Key& key, const StageMaker& make_stage);

}  // namespace locklab
