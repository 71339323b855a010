// A shard of random schedules: some of each lock's, for `locklab merge` to put together.
#pragma once

#include <vector>

#include "harness/cli/command_line.h"
#include "harness/core/watcher.h"
#include "harness/play/strategies.h"
#include "harness/record/shard_folder.h"

namespace locklab {

/// The random schedules of one lock.
struct LockSchedules {
    const Algorithm* algorithm = nullptr;
    Bounds bounds;
    RandomLimits limits;
};

/// Walks the shard's schedules of each lock: a contiguous range. Returns the exit code.
int make_explore_shard(const CommandLine& line, const Shard& shard,
                       const std::vector<LockSchedules>& locks);

/// All schedules of one lock, from shards that have them all.
WalkedSchedules schedules_in(const std::vector<ShardFolder>& shards, const LockSchedules& lock);

}  // namespace locklab
