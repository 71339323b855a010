// The program that locklab starts where it needs a server of its own.
#pragma once

#include <string>

#include "harness/core/server_kind.h"

namespace locklab {

struct ServerProgram {
    ServerKind kind = ServerKind::redis;
    std::string file = "redis-server";  ///< in PATH, or a path
};

const ServerProgram& server_program();
/// One sentence for people; `error` is the errno of its start.
std::string why_not_started(int error);
/// What a live command needs so that it starts the same: " --server valkey", or nothing.
std::string server_option();
/// Of what was run on it, for people: ", Redis 7.2.4 (Valkey 9.1.2)", or nothing for redis-server.
/// `version`: as probe() says it.
std::string server_text(const std::string& version);
/// For every server that is started from now on. At first redis-server. Not safe between threads.
void set_server_program(ServerProgram program);

}  // namespace locklab
