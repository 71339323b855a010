// Waits of a thread for another one. The keeper cannot wake such a wait, so one with a deadline
// looks again and again whether its time has come.

#include <pthread.h>
#include <semaphore.h>

#include <cerrno>

#include "harness/virtual/shim.h"

namespace {

using namespace locklab::shim;

constexpr long kMomentNs = 1'000'000;

/// A little later, by the machine's monotonic clock.
timespec in_a_moment() {
    timespec at{};
    machine_clock(CLOCK_MONOTONIC, &at);
    at.tv_nsec += kMomentNs;
    if (at.tv_nsec >= kSecond) at = {at.tv_sec + 1, at.tv_nsec - kSecond};
    return at;
}

/// `wait_a_moment` returns ETIMEDOUT where nothing came.
template <class Wait>
int rest_until(std::int64_t deadline, Wait wait_a_moment) {
    Published published{waiting_state(), deadline, row()->kicks};
    publish(published);
    int error = 0;
    while ((error = wait_a_moment(in_a_moment())) == ETIMEDOUT && now() < deadline) {
        if (!is_to_look(published)) continue;
        published.seen = row()->kicks;
        publish(published);
    }
    run_again();
    return error;
}

/// `wait_for_it` waits for as long as it takes.
template <class Wait>
int rest(Wait wait_for_it, locklab::ThreadState state = locklab::ThreadState::rests) {
    if (!is_virtual()) return wait_for_it();
    publish({state, locklab::kNoDeadline, 0});
    const int result = wait_for_it();
    const int error = errno;
    run_again();
    errno = error;
    return result;
}

/// The C library has two of each name; what is wanted is the newer one.
template <class Function>
Function* next_condition(const char* name) {
    return reinterpret_cast<Function*>(dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2"));
}

}  // namespace

LOCKLAB_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    static auto* found = next_condition<decltype(pthread_cond_wait)>("pthread_cond_wait");
    return rest([&] { return found(condition, mutex); });
}

LOCKLAB_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                          clockid_t clock, const timespec* until) {
    const auto wait = LOCKLAB_NEXT(pthread_cond_clockwait);
    if (!is_virtual()) {
        const timespec right = by_right_clock(clock, *until);
        return wait(condition, mutex, clock, &right);
    }
    return rest_until(monotonic_of(clock, *until), [&](const timespec& moment) {
        return wait(condition, mutex, CLOCK_MONOTONIC, &moment);
    });
}

/// Which clock it is by, the condition knows, and tells nobody: of the two, the wall clock is far
/// ahead of the monotonic one.
LOCKLAB_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                          const timespec* until) {
    static auto* found = next_condition<decltype(pthread_cond_timedwait)>("pthread_cond_timedwait");
    if (row() == nullptr) return found(condition, mutex, until);
    timespec wall{};
    machine_clock(CLOCK_REALTIME, &wall);
    const bool is_wall = until->tv_sec > wall.tv_sec / 2;
    if (is_virtual()) {
        return pthread_cond_clockwait(condition, mutex, is_wall ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                                      until);
    }
    const timespec right = by_right_clock(is_wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, *until);
    return found(condition, mutex, &right);
}

LOCKLAB_EXPORT int sem_wait(sem_t* semaphore) {
    return rest([&] { return LOCKLAB_NEXT(sem_wait)(semaphore); });
}

LOCKLAB_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
    const auto wait = LOCKLAB_NEXT(sem_clockwait);
    if (!is_virtual()) {
        const timespec right = by_right_clock(clock, *until);
        return wait(semaphore, clock, &right);
    }
    const int error = rest_until(monotonic_of(clock, *until), [&](const timespec& moment) {
        return wait(semaphore, CLOCK_MONOTONIC, &moment) == 0 ? 0 : errno;
    });
    if (error != 0) errno = error;
    return error == 0 ? 0 : -1;
}

LOCKLAB_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* until) {
    if (row() == nullptr) return LOCKLAB_NEXT(sem_timedwait)(semaphore, until);
    return sem_clockwait(semaphore, CLOCK_REALTIME, until);
}

LOCKLAB_EXPORT int pthread_join(pthread_t thread, void** result) {
    return rest([&] { return LOCKLAB_NEXT(pthread_join)(thread, result); },
                locklab::ThreadState::joins);
}
