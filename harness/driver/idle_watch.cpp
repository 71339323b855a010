#include "harness/driver/idle_watch.h"

#include "harness/live/process_name.h"
#include "harness/live/processor_wait.h"

namespace locklab {

namespace {

/// Part of the time that a process which does nothing may run: a runtime's own timers take some.
constexpr int kIdleShare = 100;
/// So often in the time is it looked at. A walk through all processes takes some milliseconds.
constexpr int kLooks = 5;

/// Nothing where that is not known, or one of its processes waits for a disk.
std::optional<Duration> done_by(const DriverProcess& driver) {
    Duration all{0};
    for (const pid_t each : driver.processes()) {
        const std::optional<Duration> done = processor_work(each);
        if (!done || state_of(each) == 'D') return std::nullopt;
        all += *done;
    }
    return all;
}

}  // namespace

bool IdleWatch::is_idle() {
    const Clock::time_point now = Clock::now();
    if (is_idle_ || (done_ && now - looked_ < most_ / kLooks)) return is_idle_;
    // If locklab itself was late, the machine was, or the driver was stopped with it.
    const bool is_late = done_ && now - looked_ > 2 * most_ / kLooks;
    looked_ = now;
    const std::optional<Duration> done = done_by(driver_);
    // What ended took its count with it.
    if (!done || !done_ || is_late || *done < *done_ || *done - *done_ > most_ / kIdleShare) {
        done_ = done;
        since_ = now;
        return false;
    }
    is_idle_ = now - since_ >= most_;
    return is_idle_;
}

}  // namespace locklab
