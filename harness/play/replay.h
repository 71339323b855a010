// A run again, from its trace: of a campaign, of a scenario, or a find of a search.
#pragma once

#include <string>

#include "harness/check/judge.h"
#include "harness/core/history.h"
#include "harness/core/watcher.h"
#include "harness/core/world_kind.h"

namespace locklab {

/// What a trace gave when it was run again.
struct Replayed {
    History history;
    std::string title;
    std::string picture;  ///< a time-line, where one was played step by step
};

/// Live on the Redis at host:port, or on a private one if that is empty. Throws UsageError where
/// the file is no trace, or none that can be run there.
Replayed replay(const std::string& file, WorldKind world, const std::string& redis,
                const Watcher& watcher);

/// As it was played; of a campaign's run, the part that shows its first failure.
std::string picture_of(const Replayed& run, const Judgement& judgement);

}  // namespace locklab
