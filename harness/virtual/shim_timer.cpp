// Timers that are files (timerfd). In virtual time such a timer is an event file, which is rung
// when its time has come. Timers that come as signals are not moved: the keeper is told of them.

#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "harness/virtual/shim.h"

namespace locklab::shim {

namespace {

struct Timer {
    int file = -1;
    clockid_t clock = CLOCK_MONOTONIC;
    std::int64_t deadline = kNoDeadline;
    std::int64_t interval = 0;
};

constexpr int kTimers = 64;
Timer timers[kTimers];
bool has_timers = false;

Timer* timer_of(int file) {
    for (Timer& timer : timers) {
        if (has_timers && timer.file == file) return &timer;
    }
    return nullptr;
}

std::int64_t count_of(const timespec& span) { return span.tv_sec * kSecond + span.tv_nsec; }

itimerspec left_of(const Timer& timer) {
    itimerspec left{};
    left.it_interval = {timer.interval / kSecond, timer.interval % kSecond};
    if (timer.deadline == kNoDeadline) return left;
    const std::int64_t rest = timer.deadline > now() ? timer.deadline - now() : 1;
    left.it_value = {rest / kSecond, rest % kSecond};
    return left;
}

void unring(int file) {
    std::uint64_t rings = 0;
    const int error = errno;
    syscall(SYS_read, file, &rings, sizeof rings);
    errno = error;
}

}  // namespace

std::int64_t ring_timers() {
    std::int64_t first = kNoDeadline;
    if (!has_timers) return first;
    for (Timer& timer : timers) {
        if (timer.file < 0) continue;
        if (timer.deadline <= now()) {
            const std::uint64_t once = 1;
            syscall(SYS_write, timer.file, &once, sizeof once);
            timer.deadline = timer.interval == 0 ? kNoDeadline : now() + timer.interval;
        }
        if (timer.deadline < first) first = timer.deadline;
    }
    return first;
}

}  // namespace locklab::shim

using namespace locklab::shim;

LOCKLAB_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
    if (!is_virtual()) return LOCKLAB_NEXT(timerfd_create)(clock, flags);
    static_assert(int{TFD_NONBLOCK} == int{EFD_NONBLOCK} && int{TFD_CLOEXEC} == int{EFD_CLOEXEC});
    const int file = eventfd(0, flags);
    for (Timer& timer : timers) {
        if (file < 0 || timer.file >= 0) continue;
        timer = {file, clock, locklab::kNoDeadline, 0};
        has_timers = true;
        return file;
    }
    if (file >= 0) close(file);
    errno = EMFILE;
    return -1;
}

LOCKLAB_EXPORT int timerfd_settime(int file, int flags, const itimerspec* set,
                                   itimerspec* before) noexcept {
    Timer* timer = timer_of(file);
    if (timer == nullptr) return LOCKLAB_NEXT(timerfd_settime)(file, flags, set, before);
    if (before != nullptr) *before = left_of(*timer);
    unring(file);
    const bool is_set = count_of(set->it_value) != 0;
    const bool is_until = (flags & TFD_TIMER_ABSTIME) != 0;
    timer->deadline = !is_set    ? locklab::kNoDeadline
                      : is_until ? monotonic_of(timer->clock, set->it_value)
                                 : after(set->it_value);
    timer->interval = count_of(set->it_interval);
    return 0;
}

LOCKLAB_EXPORT int timerfd_gettime(int file, itimerspec* left) noexcept {
    const Timer* timer = timer_of(file);
    if (timer == nullptr) return LOCKLAB_NEXT(timerfd_gettime)(file, left);
    *left = left_of(*timer);
    return 0;
}

LOCKLAB_EXPORT int close(int file) {
    if (Timer* timer = timer_of(file)) *timer = Timer{};
    if (is_random(file)) forget_random(file);
    return LOCKLAB_NEXT(close)(file);
}

namespace {

void note_signal() {
    if (is_virtual()) row()->rings = 1;
}

}  // namespace

LOCKLAB_EXPORT int setitimer(__itimer_which_t which, const itimerval* set,
                             itimerval* before) noexcept {
    if (set != nullptr && (set->it_value.tv_sec != 0 || set->it_value.tv_usec != 0)) note_signal();
    return LOCKLAB_NEXT(setitimer)(which, set, before);
}

LOCKLAB_EXPORT unsigned alarm(unsigned span) noexcept {
    if (span != 0) note_signal();
    return LOCKLAB_NEXT(alarm)(span);
}

LOCKLAB_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
    note_signal();
    return LOCKLAB_NEXT(timer_create)(clock, event, timer);
}
