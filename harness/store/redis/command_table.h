// The table of commands. To add one: its handler in redis_commands.h, its row here.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/core/server_kind.h"
#include "harness/store/redis/redis_call.h"

namespace locklab {

/// The row of the command that the words name, in any case; null if this server has none.
/// Subcommands such as SCRIPT LOAD have rows of their own, script|load.
const CommandRow* find_command(std::span<const std::string_view> words, ServerKind server);

/// Whether the word is the first of two that name a command, as SCRIPT is.
bool has_subcommands(std::string_view name);

/// The names of all commands of any server, in lower case and in order, without subcommands.
std::span<const std::string_view> command_names();

/// The name of a command without a row: "LPUSH", or "SCRIPT KILL".
std::string name_not_known(std::span<const std::string_view> words);

/// The error reply for a command without a row.
Reply unknown_command(std::span<const std::string_view> words);

}  // namespace locklab
