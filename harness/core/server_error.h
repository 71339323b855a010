// The cause of an error reply: the lock, which sent what Redis always refuses, or the server, which
// cannot serve at the moment.
#pragma once

#include <string_view>

namespace locklab {

/// Whether the server would refuse any command: READONLY, OOM, NOPERM and the like
/// (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors), also inside a
/// script. Such an error tells nothing about the lock.
bool is_servers_own(std::string_view error);

}  // namespace locklab
