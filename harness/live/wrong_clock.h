// The preloaded clock of a live process: it can be set wrong while the process runs, and waits are
// real. Only the wall clock is wrong; the monotonic clock is the machine's.
#pragma once

#include <map>
#include <string>

#include "harness/core/time.h"
#include "harness/live/time_folder.h"

namespace locklab {

class WrongClock {
public:
    WrongClock() : folder_(1) {}

    /// Variables for the start of the process, added to the present environment.
    std::map<std::string, std::string> environment() const { return folder_.environment(0); }
    /// A process is about to start with that environment. An earlier one must have ended.
    void expect_process();
    /// Whether the process has read any clock through it: a statically linked program, or one that
    /// asks the kernel directly as Go does, never will.
    bool is_taken() const { return row().asked != 0; }
    /// From now on it is this much ahead.
    void set_ahead(Duration ahead);
    /// From now on it runs too fast by this many millionths, or too slowly. It keeps the error that
    /// it has.
    void set_drift(std::int64_t ppm);
    /// From now on it is this much further ahead.
    void jump(Duration by) { set_ahead(ahead() + by); }
    /// How far it is ahead now.
    Duration ahead() const;

private:
    const ProcessRow& row() const { return folder_.page().processes[0]; }

    TimeFolder folder_;
};

}  // namespace locklab
