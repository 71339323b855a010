// Time, in three kinds that the compiler keeps apart: how long (Duration), when in the run
// (Instant), and the reading of a clock (WallTime, MonotonicTime). All are whole microseconds.
#pragma once

#include <chrono>
#include <cstdint>

namespace locklab {

using Duration = std::chrono::microseconds;

namespace detail {
template <class Tag>
struct TaggedClock {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<TaggedClock>;
    static constexpr bool is_steady = false;
};
}  // namespace detail

/// True time since the run began. No client can read it; histories are written in it.
using Instant = std::chrono::time_point<detail::TaggedClock<struct TrueTag>>;

/// Reading of one client's or server's wall clock, since the Unix epoch. It may be wrong.
using WallTime = std::chrono::time_point<detail::TaggedClock<struct WallTag>>;

/// Reading of one client's monotonic clock. Only differences mean anything.
using MonotonicTime = std::chrono::time_point<detail::TaggedClock<struct MonotonicTag>>;

/// What every correct clock shows when a simulated or driven run begins: 2026-01-01 00:00:00 UTC. A
/// whole second, so that an article that counts in seconds sees the same in every run.
inline constexpr WallTime kEpoch{std::chrono::seconds(1'767'225'600)};

template <class TimePoint>
constexpr std::int64_t us(TimePoint t) {
    return t.time_since_epoch().count();
}
constexpr std::int64_t us(Duration d) { return d.count(); }

}  // namespace locklab
