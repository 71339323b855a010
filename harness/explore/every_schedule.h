// Every schedule within the bounds, one after the other, each made from its beginning.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "harness/explore/path.h"

namespace locklab {

struct Schedules {
    std::uint64_t count = 0;
    std::uint64_t violated = 0;
    std::uint64_t steps = 0;  ///< of all schedules together
    bool complete = false;    ///< false: there are more than `most`, or the search was interrupted
    Path shortest;            ///< the shortest violated one
    std::uint64_t stuck = 0;  ///< schedules after which some client never gets the lock
    Path shortest_stuck;
    ClientId stuck_client;  ///< the client that is stuck after shortest_stuck
    Coverage coverage;      ///< what all schedules exercised
};

/// By plain replay, see PlainRun. `tell` is called now and then.
Schedules every_schedule(const Algorithm& algorithm, const Bounds& bounds, std::uint64_t most,
                         const std::atomic<bool>& stop,
                         const std::function<void(std::uint64_t schedules)>& tell);

}  // namespace locklab
