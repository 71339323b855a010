// How long a server took to answer, by what went through the proxy: one that answers late, though
// nothing was done to it or to the way there, is on a machine that is too slow.
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
    /// The events of a log, in order. Who was asked to wait, as by BLPOP, may answer late, and so
    /// may what was sent behind that over the same connection.
    void see(const LinkEvent& event);
    Duration took() const { return took_; }

private:
    using Number = std::uint64_t;  // of a command on its connection

    /// What was asked and is not answered yet.
    std::map<std::pair<std::uint32_t, Number>, std::chrono::nanoseconds> asked_;
    /// Of each connection, what may wait at the server and is not answered yet.
    std::map<std::uint32_t, std::set<Number>> waiting_;
    Duration took_{0};
};

}  // namespace locklab
