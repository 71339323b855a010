// Replays a counterexample of a search, in sim or on a real Redis.
#pragma once

#include <string>

#include "harness/core/watcher.h"
#include "harness/play/step_player.h"

namespace locklab {

Scene play_in_sim(const Find& find);

/// `redis` is host:port, or empty for a private server. Time passes a little longer than in the
/// steps, so that keys really expire. Throws UsageError if a step cannot be made on a real Redis.
Scene play_live(const Find& find, const std::string& redis, const Watcher& watcher);

}  // namespace locklab
