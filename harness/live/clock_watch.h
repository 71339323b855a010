// Whether somebody sets the machine's wall clock while a live run is under way, as NTP may: the
// keys of a real server expire by it, and no plan of faults had it.
#pragma once

#include "harness/core/time.h"

namespace locklab {

class ClockWatch {
public:
    ClockWatch();

    /// To be called now and then. Where the process was held between two clocks, nothing is known.
    void look();
    /// How far the wall clock went away from the monotonic one since this was made, at most.
    Duration worst_step() const { return worst_; }

private:
    Duration first_;
    Duration worst_{0};
};

}  // namespace locklab
