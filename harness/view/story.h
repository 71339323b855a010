// The part of a run that shows why it failed: the clients that took part, from when they wanted the
// lock.
#pragma once

#include <optional>

#include "harness/check/judge.h"
#include "harness/core/scene.h"

namespace locklab {

/// The events that led to the first violation of a run, or to clients that are stuck at its end,
/// without other clients. The clients get new numbers, and keep their names: "client 3".
/// `judgement` must be the history's own. Nothing if there is no failure, or if the part alone
/// would be judged differently from the whole.
std::optional<Scene> story_of(const History& history, const Judgement& judgement);

}  // namespace locklab
