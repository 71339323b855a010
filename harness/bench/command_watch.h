// How many commands clients send to a server: what MONITOR tells of it. INFO's own counters also
// have the commands that scripts run, which cross no network.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/live/endpoint.h"
#include "harness/live/wire.h"

namespace locklab {

class CommandWatch {
public:
    /// Sees what the server runs from now on. Throws std::runtime_error.
    explicit CommandWatch(const Endpoint& endpoint);

    /// How many it has seen until now, without its own. Throws std::runtime_error.
    std::uint64_t seen();

    /// Whether this line of MONITOR is a client's command, and not a script's.
    static bool is_of_client(std::string_view line);

private:
    const Endpoint endpoint_;
    ContextPtr context_;
    std::uint64_t seen_ = 0;
};

}  // namespace locklab
