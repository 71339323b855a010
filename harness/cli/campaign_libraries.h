// locklab campaign libraries: every installed library under every fault, as one table. And a table
// of one library: campaign lib:NAME, or driver:A.
#pragma once

#include <vector>

#include "harness/cli/command_line.h"
#include "harness/record/shard_folder.h"

namespace locklab {

/// Whether this is a campaign of driver processes that are not asked to run in real time alone.
bool is_table_of_drivers(const CommandLine& line, const Arguments& arguments);

/// Throws UsageError.
int campaign_of_libraries(const CommandLine& line, const Arguments& arguments);

/// The table whose libraries these shards have. `line` is the command without --shard.
int show_merged_table(const CommandLine& line, const std::vector<ShardFolder>& shards);

}  // namespace locklab
