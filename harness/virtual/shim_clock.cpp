// The clocks: virtual ones, or those of the machine, perhaps wrong.

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <ctime>

#include "harness/virtual/shim.h"

namespace locklab::shim {

namespace {

enum class Kind { other, monotonic, wall };

Kind kind_of(clockid_t clock) {
    switch (clock) {
        case CLOCK_REALTIME:
        case CLOCK_REALTIME_COARSE:
        case CLOCK_TAI: return Kind::wall;
        case CLOCK_MONOTONIC:
        case CLOCK_MONOTONIC_COARSE:
        case CLOCK_MONOTONIC_RAW:
        case CLOCK_BOOTTIME: return Kind::monotonic;
        default: return Kind::other;
    }
}

std::int64_t count_of(const timespec& at) { return at.tv_sec * kSecond + at.tv_nsec; }

timespec time_of(std::int64_t count) {
    timespec at{count / kSecond, count % kSecond};
    if (at.tv_nsec < 0) at = {at.tv_sec - 1, at.tv_nsec + kSecond};
    return at;
}

/// How far the wall clock of this process is wrong now.
std::int64_t wrong_by() {
    timespec machine{};
    machine_clock(CLOCK_MONOTONIC, &machine);
    const std::int64_t ran = count_of(machine) - row()->since;
    // Divides to microseconds first, so that the product does not overflow.
    return row()->ahead + ran / 1000 * row()->drift_ppm / 1000;
}

}  // namespace

int machine_clock(clockid_t clock, timespec* at) {
    return static_cast<int>(syscall(SYS_clock_gettime, clock, at, 0L, 0L, kOwnCall));
}

std::int64_t monotonic_of(clockid_t clock, const timespec& at) {
    const std::int64_t count = count_of(at);
    return kind_of(clock) == Kind::wall ? count - row()->wall : count;
}

std::int64_t after(const timespec& span) {
    const std::int64_t count = count_of(span);
    return count > kNoDeadline - now() ? kNoDeadline : now() + count;
}

timespec by_right_clock(clockid_t clock, const timespec& at) {
    const bool is_wrong = row() != nullptr && !is_virtual() && kind_of(clock) == Kind::wall;
    return is_wrong ? time_of(count_of(at) - wrong_by()) : at;
}

}  // namespace locklab::shim

using namespace locklab::shim;

LOCKLAB_EXPORT int clock_gettime(clockid_t clock, timespec* at) noexcept {
    const Kind kind = kind_of(clock);
    if (row() != nullptr && !is_virtual()) row()->asked.fetch_add(1, std::memory_order_relaxed);
    if (row() == nullptr || kind == Kind::other || (kind == Kind::monotonic && !is_virtual())) {
        return machine_clock(clock, at);
    }
    if (is_virtual()) {
        *at = time_of(now() + (kind == Kind::wall ? row()->wall.load() : 0));
        return 0;
    }
    timespec right{};
    const int error = machine_clock(clock, &right);
    *at = time_of(count_of(right) + wrong_by());
    return error;
}

LOCKLAB_EXPORT int gettimeofday(timeval* at, void*) noexcept {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    *at = {now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

LOCKLAB_EXPORT time_t time(time_t* at) noexcept {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    if (at != nullptr) *at = now.tv_sec;
    return now.tv_sec;
}
