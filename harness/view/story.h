// The part of a run that shows why it failed: who was in it, from when they wanted the lock.
#pragma once

#include <optional>

#include "harness/check/judge.h"
#include "harness/core/scene.h"

namespace locklab {

/// What led to the first violation of a run, or to clients that are stuck in its end, with nobody
/// else in it. The clients are numbered anew, and keep their names: "client 3". `judgement` is the
/// history's own. Nothing if there is no failure, or if the part alone would be judged otherwise
/// than the whole.
std::optional<Scene> story_of(const History& history, const Judgement& judgement);

}  // namespace locklab
