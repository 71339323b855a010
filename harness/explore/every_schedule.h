// Every schedule within the bounds, made one after the other from its beginning.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "harness/explore/path.h"

namespace locklab {

struct Schedules {
    std::uint64_t count = 0;
    std::uint64_t violated = 0;
    std::uint64_t steps = 0;  ///< of all of them
    bool complete = false;    ///< false: there are more than `most`, or it was interrupted
    Path shortest;            ///< of those that are violated
    std::uint64_t stuck = 0;  ///< after which some client never gets the lock
    Path shortest_stuck;
    ClientId stuck_client;  ///< after that one
    Coverage coverage;      ///< what all of them exercised
};

/// Plain replay: see PlainRun. `tell` is called now and then.
Schedules every_schedule(const Algorithm& algorithm, const Bounds& bounds, std::uint64_t most,
                         const std::atomic<bool>& stop,
                         const std::function<void(std::uint64_t schedules)>& tell);

}  // namespace locklab
