#include "harness/live/server_program.h"

#include <cerrno>
#include <cstring>
#include <utility>

namespace locklab {

namespace {

ServerProgram& chosen() {
    static ServerProgram program;
    return program;
}

}  // namespace

const ServerProgram& server_program() { return chosen(); }

std::string why_not_started(int error) {
    const ServerProgram& program = chosen();
    if (error != ENOENT) return program.file + " cannot be started: " + std::strerror(error) + ".";
    if (program.kind == ServerKind::redis) {
        return "redis-server was not found: install it (Debian, Ubuntu: apt-get install "
               "redis-server), or name a running server with --redis host:port.";
    }
    return program.file + " was not found: install it again with 'locklab servers install'.";
}

std::string server_option() {
    const ServerKind kind = chosen().kind;
    return kind == ServerKind::redis ? "" : " --server " + std::string(name_of(kind));
}

std::string server_text(const std::string& version) {
    return chosen().kind == ServerKind::redis ? "" : ", Redis " + version;
}

void set_server_program(ServerProgram program) { chosen() = std::move(program); }

}  // namespace locklab
