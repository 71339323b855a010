// Replays a run from its trace: of a campaign, a scenario, or a search's counterexample.
#pragma once

#include <string>

#include "harness/check/judge.h"
#include "harness/core/history.h"
#include "harness/core/watcher.h"
#include "harness/core/world_kind.h"

namespace locklab {

/// The result of replaying a trace.
struct Replayed {
    History history;
    std::string title;
    std::string picture;  ///< a time-line, if it was played step by step
};

/// Live on the Redis at host:port, or on a private one if that is empty. Throws UsageError if the
/// file is no trace, or cannot be run there.
Replayed replay(const std::string& file, WorldKind world, const std::string& redis,
                const Watcher& watcher);

/// The picture of the whole play; of a campaign's run, the part that shows its first failure.
std::string picture_of(const Replayed& run, const Judgement& judgement);

}  // namespace locklab
