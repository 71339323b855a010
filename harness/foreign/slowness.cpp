#include "harness/foreign/slowness.h"

#include <algorithm>
#include <string>

#include "harness/core/duration_text.h"

namespace locklab {

namespace {

std::string in_ms(Duration time) {
    return to_string(std::chrono::round<std::chrono::milliseconds>(time));
}

}  // namespace

Duration own_time(Duration took, std::optional<Duration> before, std::optional<Duration> after) {
    // Less than before: threads have ended, and what they waited is not known.
    const bool is_known = before && after && *after >= *before;
    return is_known ? std::max(took - (*after - *before), Duration(0)) : Duration(0);
}

void Slowness::machine_was_late(Duration by) { machine_ = std::max(machine_, by); }

void Slowness::answered(DriverOp op, const AnswerTime& time) {
    longest_ = std::max(longest_, time.took);
    if (time.own <= slow_.own) return;
    slow_op_ = op;
    slow_ = time;
}

Duration Slowness::worst() const { return std::max(machine_, longest_); }

std::optional<Disturbance> Slowness::disturbance(Duration clock_step) const {
    using Kind = Disturbance::Kind;
    auto found = disturbance_by_machine(worst(), clock_step, most_);
    // The answer may have waited for a locklab that was late.
    const bool is_by_driver =
        found && found->kind == Kind::late && machine_ <= most_ && slow_.own - machine_ > most_;
    if (!is_by_driver) return found;
    return Disturbance{
        Kind::driver,
        "'" + std::string(kDriverOps[static_cast<std::size_t>(slow_op_)]) + "' took " +
            in_ms(slow_.took) + ", of which it waited " + in_ms(slow_.took - slow_.own) +
            " for a processor; a run shows nothing beyond " + in_ms(most_) + ", a part of the TTL"};
}

}  // namespace locklab
