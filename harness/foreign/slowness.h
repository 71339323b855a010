// Who was slow: the machine, or a driver by itself, which is no machine's fault.
//
// A machine delays a driver while that waits for a processor, as the kernel counts, and then it
// delays locklab and the servers as well. What is left of an answer's time is the driver's own.
#pragma once

#include <optional>

#include "harness/check/disturbance.h"
#include "harness/core/time.h"
#include "harness/driver/driver_lines.h"

namespace locklab {

/// What an answer took without waiting for a processor. `before` and `after`: processor_wait() of
/// its process. Zero where that is not known.
Duration own_time(Duration took, std::optional<Duration> before, std::optional<Duration> after);

/// An answer of a driver.
struct AnswerTime {
    Duration took{0};
    Duration own{0};  ///< without waiting for a processor
};

class Slowness {
public:
    /// Nothing up to `most` matters.
    explicit Slowness(Duration most) : most_(most) {}

    /// Locklab, or a server, was late by this.
    void machine_was_late(Duration by);
    /// An operation that does not have to wait for anybody.
    void answered(DriverOp op, const AnswerTime& time);

    Duration most() const { return most_; }
    /// The longest delay of any kind.
    Duration worst() const;
    std::optional<Disturbance> disturbance(Duration clock_step) const;

private:
    const Duration most_;
    Duration machine_{0};
    Duration longest_{0};  ///< answer of a driver
    DriverOp slow_op_ = DriverOp::step;
    AnswerTime slow_;  ///< the answer that took longest by itself
};

}  // namespace locklab
