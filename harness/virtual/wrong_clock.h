// The clock of a live process, preloaded: it can be set wrong while the process runs, whose waits
// are real. Only its wall clock is wrong; its monotonic clock is the machine's.
#pragma once

#include <map>
#include <string>

#include "harness/core/time.h"
#include "harness/virtual/time_folder.h"

namespace locklab {

class WrongClock {
public:
    WrongClock() : folder_(1) {}

    /// With what the process is started, beside the environment that there is.
    std::map<std::string, std::string> environment() const { return folder_.environment(0); }
    /// A process is about to start with that. The one before, if there was one, has ended.
    void expect_process();
    /// Whether the process has asked it for the time, of whatever clock: a program that is linked
    /// statically, or that asks the kernel by itself as Go does, never will.
    bool is_taken() const { return row().asked != 0; }
    /// It is so much ahead from here on, or behind.
    void set_ahead(Duration ahead);
    /// It runs too fast by so many millionths from here on, or too slowly. What it is ahead by now
    /// it stays.
    void set_drift(std::int64_t ppm);
    /// It is so much further ahead from here on.
    void jump(Duration by) { set_ahead(ahead() + by); }
    /// How much it is ahead now.
    Duration ahead() const;

private:
    const ProcessRow& row() const { return folder_.page().processes[0]; }

    TimeFolder folder_;
};

}  // namespace locklab
