// Detects whether the machine's wall clock is set during a live run, as NTP may do: keys of a real
// server expire by it, and no fault plan has this.
#pragma once

#include "harness/core/time.h"

namespace locklab {

class ClockWatch {
public:
    ClockWatch();

    /// Call it from time to time. Learns nothing if the process was held up between reading the
    /// clocks.
    void look();
    /// The largest change of the wall clock against the monotonic one since construction.
    Duration worst_step() const { return worst_; }

private:
    Duration first_;
    Duration worst_{0};
};

}  // namespace locklab
