#include "harness/live/wrong_clock.h"

#include <chrono>

namespace locklab {

namespace {

using std::chrono::nanoseconds;

nanoseconds machine_time() { return std::chrono::steady_clock::now().time_since_epoch(); }

}  // namespace

Duration WrongClock::ahead() const {
    const std::int64_t ran = machine_time().count() - row().since;
    const nanoseconds wrong(row().ahead + ran / 1000 * row().drift_ppm / 1000);
    return std::chrono::duration_cast<Duration>(wrong);
}

void WrongClock::expect_process() {
    ProcessRow& own = folder_.page().processes[0];
    own.pid = 0;
    own.asked = 0;
}

void WrongClock::set_ahead(Duration ahead) {
    ProcessRow& own = folder_.page().processes[0];
    own.since = machine_time().count();
    own.ahead = nanoseconds(ahead).count();
}

void WrongClock::set_drift(std::int64_t ppm) {
    set_ahead(ahead());
    folder_.page().processes[0].drift_ppm = ppm;
}

}  // namespace locklab
