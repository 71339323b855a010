// Steps of a search, played on a stage: the same coroutines, but a world of its own, with the model
// of Redis or a real one behind it. What the search found is seen, and judged, independently.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "harness/core/scene.h"
#include "harness/explore/rules.h"
#include "harness/stage/stage.h"

namespace locklab {

/// A find: who, within which bounds, with which clocks, and the steps.
struct Find {
    const Algorithm* algorithm = nullptr;
    Bounds bounds;
    std::vector<Duration> clock_offsets;  ///< of each client, from the start
    TokenStyle tokens = TokenStyle::same_head;
    std::vector<Step> steps;
    /// In the end one more client comes and tries, longer than any lock is left behind for.
    bool newcomer = false;
    /// Or that client of the search does, once all others have left.
    std::optional<ClientId> waiter{};

    std::uint32_t clients() const { return bounds.clients + (newcomer ? 1 : 0); }
};

/// Plays them and shows what came of it. Throws std::invalid_argument with one sentence if a step
/// cannot be made: the file was changed, or search and stage do not agree.
Scene play_steps(const Find& find, StageWorld& world, const Key& key);
/// The same on a stage that is made for it, which the find's player tells what befalls commands.
using StageMaker =
    std::function<std::unique_ptr<PlayStage>(StageConfig config, CommandFaults& faults)>;
Scene play_steps(const Find& find, const Key& key, const StageMaker& make_stage);

}  // namespace locklab
