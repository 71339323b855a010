// The wall clocks of a play.
#pragma once

#include "harness/core/time.h"

namespace locklab {

/// What every clock shows as a play begins, in either world: 2026-01-01 00:00:00 UTC. A whole
/// second, so that an article that counts in seconds sees the same in every play.
inline constexpr WallTime kStageEpoch{std::chrono::seconds(1'767'225'600)};

}  // namespace locklab
