#include "harness/live/clock_watch.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace locklab {

namespace {

using std::chrono::steady_clock;
using std::chrono::system_clock;

/// Both clocks must be read within this, or the difference only shows a pause of this process.
constexpr auto kAtOnce = std::chrono::milliseconds(1);
constexpr int kTries = 5;

/// The wall clock minus the monotonic one.
std::optional<Duration> difference() {
    for (int i = 0; i < kTries; ++i) {
        const auto before = steady_clock::now();
        const auto wall = system_clock::now();
        if (steady_clock::now() - before > kAtOnce) continue;
        return std::chrono::duration_cast<Duration>(wall.time_since_epoch() -
                                                    before.time_since_epoch());
    }
    return std::nullopt;
}

}  // namespace

ClockWatch::ClockWatch() : first_(difference().value_or(Duration::max())) {}

void ClockWatch::look() {
    const std::optional<Duration> now = difference();
    if (!now) return;
    if (first_ == Duration::max()) first_ = *now;
    const Duration step = *now - first_;
    worst_ = std::max(worst_, step < Duration::zero() ? -step : step);
}

}  // namespace locklab
