// The slowest answer of a server, from the proxy's log: a late answer without a fault on the server
// or the way shows that the machine is too slow.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "harness/core/time.h"
#include "harness/proxy/event_log.h"

namespace locklab {

class SlowestAnswer {
public:
    /// Call for the events of a log, in order. Commands that may block (BLPOP) may be answered
    /// late, and so may commands behind them on the same connection.
    void see(const LinkEvent& event);
    Duration took() const { return took_; }

private:
    using Number = std::uint64_t;  // of a command on its connection

    /// Send times of commands without an answer.
    std::map<std::pair<std::uint32_t, Number>, std::chrono::nanoseconds> asked_;
    /// By connection: commands without an answer that may block at the server.
    std::map<std::uint32_t, std::set<Number>> waiting_;
    Duration took_{0};
};

}  // namespace locklab
