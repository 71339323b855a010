// Notices a driver that does nothing at all, so that nobody waits for what will not come.
//
// What it and its processes do is counted by the kernel: the time on a processor, and the time of
// waiting for one. A wait for a disk counts as well.
#pragma once

#include <chrono>
#include <optional>

#include "harness/core/time.h"
#include "harness/driver/driver_lines.h"
#include "harness/driver/driver_process.h"

namespace locklab {

/// Who answers these waits for nobody's lock, and for no lease. Others may be idle, and right.
constexpr bool is_answered_at_once(DriverOp op) {
    return op == DriverOp::hello || op == DriverOp::open;
}

class IdleWatch {
public:
    using Clock = std::chrono::steady_clock;

    /// A runtime that starts, even on a busy machine, is never idle for so long.
    static constexpr Duration kMost = std::chrono::seconds(5);

    explicit IdleWatch(const DriverProcess& driver, Duration most = kMost)
        : driver_(driver), most_(most) {}

    /// Call it again and again. True from when the driver has done nothing for the whole time.
    /// Never true where the kernel does not count.
    bool is_idle();

private:
    const DriverProcess& driver_;
    const Duration most_;
    Clock::time_point looked_;      ///< last
    Clock::time_point since_;       ///< when it had done so much...
    std::optional<Duration> done_;  ///< ...which is this
    bool is_idle_ = false;
};

}  // namespace locklab
