// Waits of a thread for another one: conditions, semaphores, mutexes, and a thread's end. In
// virtual time this library keeps the queues of waiting threads.

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "harness/virtual/shim.h"

namespace {

using namespace locklab::shim;
using locklab::kNoDeadline;
using locklab::ProcessRow;

/// False: everything works as if nothing were preloaded.
bool takes_turns() { return is_virtual() && thread_row() != nullptr; }

/// The C library has two versions of each name; this is the newer one.
template <class Function>
Function* next_condition(const char* name) {
    return reinterpret_cast<Function*>(dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2"));
}

/// Tries again each time after another thread has run.
template <class Try>
int take(Try attempt) {
    int error = attempt();
    while (error == EBUSY) {
        try_later();
        error = attempt();
    }
    return error;
}

/// Looking up a function may itself need a mutex.
template <class Function>
Function* found_once(Function*& found, bool& is_looking, const char* name) {
    if (found == nullptr && !is_looking) {
        is_looking = true;
        found = next<Function>(name);
    }
    return found;
}

int condition_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, std::int64_t deadline) {
    {
        const TurnLock lock;
        begin_rest(condition, deadline);
    }
    pthread_mutex_unlock(mutex);
    const bool woken = end_rest();
    pthread_mutex_lock(mutex);
    return woken ? 0 : ETIMEDOUT;
}

/// The value is where sem_trywait() and sem_getvalue() look for it.
std::uint32_t* value_of(sem_t* semaphore) { return reinterpret_cast<std::uint32_t*>(semaphore); }

int semaphore_wait(sem_t* semaphore, std::int64_t deadline) {
    {
        const TurnLock lock;
        std::uint32_t value = __atomic_load_n(value_of(semaphore), __ATOMIC_SEQ_CST);
        while (value > 0) {
            if (__atomic_compare_exchange_n(value_of(semaphore), &value, value - 1, false,
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
                return 0;
            }
        }
        begin_rest(semaphore, deadline);
    }
    if (end_rest()) return 0;
    errno = ETIMEDOUT;
    return -1;
}

struct Beginning {
    void* (*run)(void*);
    void* given;
};
Beginning beginnings[ProcessRow::kThreads];

void* begin_thread(void* number) {
    const auto reserved = static_cast<int>(reinterpret_cast<std::intptr_t>(number));
    const Beginning beginning = beginnings[reserved];
    enter(reserved);
    return beginning.run(beginning.given);
}

}  // namespace

LOCKLAB_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    static auto* found = next_condition<decltype(pthread_cond_wait)>("pthread_cond_wait");
    return takes_turns() ? condition_wait(condition, mutex, kNoDeadline) : found(condition, mutex);
}

LOCKLAB_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                          clockid_t clock, const timespec* until) {
    if (takes_turns()) return condition_wait(condition, mutex, monotonic_of(clock, *until));
    const timespec right = by_right_clock(clock, *until);
    return LOCKLAB_NEXT(pthread_cond_clockwait)(condition, mutex, clock, &right);
}

/// A condition does not reveal its clock, so it is guessed from the time: the wall clock is far
/// ahead of the monotonic one.
LOCKLAB_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                          const timespec* until) {
    static auto* found = next_condition<decltype(pthread_cond_timedwait)>("pthread_cond_timedwait");
    if (row() == nullptr) return found(condition, mutex, until);
    timespec wall{};
    machine_clock(CLOCK_REALTIME, &wall);
    const bool is_wall = until->tv_sec > wall.tv_sec / 2;
    const clockid_t clock = is_wall ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    if (takes_turns()) return condition_wait(condition, mutex, monotonic_of(clock, *until));
    const timespec right = by_right_clock(clock, *until);
    return found(condition, mutex, &right);
}

LOCKLAB_EXPORT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
    static auto* found = next_condition<decltype(pthread_cond_signal)>("pthread_cond_signal");
    if (!takes_turns()) return found(condition);
    const TurnLock lock;
    wake_one(condition);
    return 0;
}

LOCKLAB_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
    static auto* found = next_condition<decltype(pthread_cond_broadcast)>("pthread_cond_broadcast");
    if (!takes_turns()) return found(condition);
    const TurnLock lock;
    while (wake_one(condition)) {
    }
    return 0;
}

LOCKLAB_EXPORT int sem_wait(sem_t* semaphore) {
    if (takes_turns()) return semaphore_wait(semaphore, kNoDeadline);
    return LOCKLAB_NEXT(sem_wait)(semaphore);
}

LOCKLAB_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
    if (takes_turns()) return semaphore_wait(semaphore, monotonic_of(clock, *until));
    const timespec right = by_right_clock(clock, *until);
    return LOCKLAB_NEXT(sem_clockwait)(semaphore, clock, &right);
}

LOCKLAB_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* until) {
    if (row() == nullptr) return LOCKLAB_NEXT(sem_timedwait)(semaphore, until);
    return sem_clockwait(semaphore, CLOCK_REALTIME, until);
}

LOCKLAB_EXPORT int sem_post(sem_t* semaphore) noexcept {
    if (!takes_turns()) return LOCKLAB_NEXT(sem_post)(semaphore);
    const TurnLock lock;
    if (!wake_one(semaphore)) __atomic_add_fetch(value_of(semaphore), 1, __ATOMIC_SEQ_CST);
    return 0;
}

LOCKLAB_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    static decltype(&pthread_mutex_lock) found = nullptr;
    static bool is_looking = false;
    const bool waits_here = takes_turns();
    // A mutex that reports an error for a second lock by its owner cannot be taken by trying.
    const bool tells = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK;
    if (!waits_here || tells) {
        if (found_once(found, is_looking, "pthread_mutex_lock") != nullptr) return found(mutex);
        while (pthread_mutex_trylock(mutex) == EBUSY) sched_yield();
        return 0;
    }
    return take([&] { return pthread_mutex_trylock(mutex); });
}

LOCKLAB_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
    if (!takes_turns()) return LOCKLAB_NEXT(pthread_rwlock_rdlock)(lock);
    return take([&] { return pthread_rwlock_tryrdlock(lock); });
}

LOCKLAB_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
    if (!takes_turns()) return LOCKLAB_NEXT(pthread_rwlock_wrlock)(lock);
    return take([&] { return pthread_rwlock_trywrlock(lock); });
}

LOCKLAB_EXPORT int sched_yield() noexcept {
    if (takes_turns()) yield();
    return LOCKLAB_NEXT(sched_yield)();
}

LOCKLAB_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                  void* (*run)(void*), void* given) noexcept {
    const auto create = LOCKLAB_NEXT(pthread_create);
    const int reserved = takes_turns() ? reserve_row() : -1;
    if (reserved < 0) return create(thread, attributes, run, given);
    beginnings[reserved] = {run, given};
    const int error = create(thread, attributes, begin_thread,
                             reinterpret_cast<void*>(static_cast<std::intptr_t>(reserved)));
    if (error != 0) give_back(reserved);
    if (error == 0) name_row(reserved, *thread);
    return error;
}

LOCKLAB_EXPORT int pthread_join(pthread_t thread, void** result) {
    if (takes_turns() && begin_join(thread)) end_rest();
    return LOCKLAB_NEXT(pthread_join)(thread, result);
}
