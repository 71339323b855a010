// Counts the commands that clients send to a server, with MONITOR. INFO's own counters include
// commands of scripts, which cross no network.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/live/endpoint.h"
#include "harness/live/wire.h"

namespace locklab {

class CommandWatch {
public:
    /// Sees all commands from now on. Throws std::runtime_error.
    explicit CommandWatch(const Endpoint& endpoint);

    /// Number of commands so far, without its own. Throws std::runtime_error.
    std::uint64_t seen();

    /// Whether this line of MONITOR is a client's command, not a script's.
    static bool is_of_client(std::string_view line);

private:
    const Endpoint endpoint_;
    ContextPtr context_;
    std::uint64_t seen_ = 0;
};

}  // namespace locklab
