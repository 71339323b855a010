// Whose doing an error reply is: the lock's, which sent what Redis refuses at any time, or the
// server's, which cannot serve just now.
#pragma once

#include <string_view>

namespace locklab {

/// Whether the server refuses whatever the command is: READONLY, OOM, NOPERM and their like
/// (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors), also where a
/// script met it. What a server says so tells nothing of the lock.
bool is_servers_own(std::string_view error);

}  // namespace locklab
