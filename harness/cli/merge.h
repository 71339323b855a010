// The verbs whose shards `locklab merge` puts together. Each counts what the shards have as its
// verb counts what it makes, and prints the same.
#pragma once

#include <vector>

#include "harness/cli/command_line.h"
#include "harness/record/shard_folder.h"

namespace locklab {

/// `line` is that of merge: --json, --traces, --out. Returns the exit code.
int merge_campaign(const std::vector<ShardFolder>& shards, const CommandLine& line);

int merge_explore(const std::vector<ShardFolder>& shards, const CommandLine& line);
int merge_suite(const std::vector<ShardFolder>& shards, const CommandLine& line);

/// The words of the command that makes all at once, with those options of `line` that it takes.
Arguments words_of_whole(const ShardFolder& shard, const CommandLine& line,
                         const std::vector<std::string>& taken);

}  // namespace locklab
