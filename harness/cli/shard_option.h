// --shard I/N: a part of a command's work, into a folder of its own that `locklab merge` reads.
#pragma once

#include <optional>

#include "harness/cli/command_line.h"
#include "harness/record/shard_folder.h"

namespace locklab {

inline constexpr Option kShardOption{
    "shard", kText,
    "only shard I of N, such as 0/8, into the folder --out, for 'locklab merge'; the same command "
    "again goes on, or finds it done"};

/// --shard; nothing if it is missing. Throws UsageError, also where --out is missing.
std::optional<Shard> shard_option(const CommandLine& line, std::string_view verb);

/// The folder --out of a shard. Throws UsageError if it has another shard.
ShardWriter open_shard(const CommandLine& line, std::string_view verb, const Shard& shard);

/// Prints what was done, and returns the exit code.
int tell_of_shard(const CommandLine& line, const ShardWriter& folder);

}  // namespace locklab
