// Shards of a suite, put together: the rows of each section in the order of one run.
#pragma once

#include <vector>

#include "harness/record/shard_folder.h"
#include "harness/suite/suite.h"

namespace locklab {

/// The result of all shards together, as if one suite had run into `context.folder`. `shards`: all
/// of one run (shards_in). Throws UsageError if a section's rows are not those of shards.
SuiteResult merged_suite(const SuiteContext& context, const std::vector<ShardFolder>& shards);

/// A shard's suite has come to its end: lists its files. Throws FileError.
void end_suite_shard(const SuiteContext& context, ShardWriter& shard);

/// Copies the files that the rows name into `context.folder`. Throws FileError.
void copy_witnesses(const SuiteContext& context, const std::vector<ShardFolder>& shards);

}  // namespace locklab
