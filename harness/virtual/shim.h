// Shared by the parts of the preloaded library. It is loaded into programs that know nothing of it:
// it uses no C++ library, allocates nothing, and throws nothing.
//
// A wait polls without blocking; if there is nothing, its thread lays down the baton, and sleeps in
// the kernel until it gets the baton again.
#pragma once

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>

#include <cstddef>
#include <cstdint>
#include <ctime>

#include "harness/live/time_page.h"

// Exported functions replace those of the C library.
#define LOCKLAB_EXPORT extern "C" __attribute__((visibility("default")))

namespace locklab::shim {

inline constexpr std::int64_t kSecond = 1'000'000'000;

/// Null if the process has no row: then everything works as if nothing were preloaded.
ProcessRow* row();
TimePage* page();
bool is_virtual();
/// The time in this process' row.
std::int64_t now();
long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0);

/// The last argument of a system call for the time that this library itself makes.
inline constexpr long kOwnCall = 0x4C4B5454;
/// From now on calls for the time that go past this library are trapped, in child processes too.
/// False: the kernel does not take the filter, or protects its own functions.
bool trap_calls();
/// A parent process may have begun it. Then this process only passes on what is trapped.
bool is_trapped();
void take_traps();

/// The machine's clock. It asks the kernel: looking up the C library's function would allocate, and
/// a sanitizer asks for the time while it allocates.
int machine_clock(clockid_t clock, timespec* at);
/// A time of one of its clocks, on the virtual monotonic clock.
std::int64_t monotonic_of(clockid_t clock, const timespec& at);
std::int64_t after(const timespec& span);
/// The same time by the machine's right clock, for a process that has a wrong clock and really
/// waits.
timespec by_right_clock(clockid_t clock, const timespec& at);

/// The next function of this name, after this library.
template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
#define LOCKLAB_NEXT(name)                                                              \
    ([] {                                                                               \
        static decltype(&::name) behind = locklab::shim::next<decltype(::name)>(#name); \
        return behind;                                                                  \
    }())

/// The row of this thread. Null: all are taken.
ThreadRow* thread_row();
/// Reserves a row for a thread that is about to be created, and makes it ready. Returns its number;
/// -1: all rows are taken.
int reserve_row();
/// Sets the thread of a reserved row, which has not begun.
void name_row(int reserved, std::uintptr_t thread);
/// Called by the thread of a reserved row; returns when it has the baton.
void enter(int reserved);
/// Frees a reserved row whose thread could not be created.
void give_back(int reserved);

/// Called as a program begins: its first thread has the baton.
void begin_turns(TimePage* page, std::size_t process);
/// Called in a forked child, which lives in real time.
void forget_turns();

/// Sleeps until one of the files is ready, or the deadline has come. `files` must have room for one
/// more. False: a signal came.
bool sleep_on(pollfd* files, std::size_t count, std::int64_t deadline, const sigset_t* mask);
/// Lets other ready threads go first.
void yield();
/// Waits until another thread may have released what this one wants.
void try_later();

/// Protects the rows of threads.
class TurnLock {
public:
    TurnLock();
    ~TurnLock();
    TurnLock(const TurnLock&) = delete;
    TurnLock& operator=(const TurnLock&) = delete;
};
/// Call these two with the lock. begin_rest(): this thread begins to wait for `on`. wake_one():
/// makes the first thread that waits for it ready; false: none does.
void begin_rest(const void* on, std::int64_t deadline);
bool wake_one(const void* on);
/// Call it without the lock: this thread begins to wait for the end of `thread`. False: that has
/// ended.
bool begin_join(std::uintptr_t thread);
/// Call it without the lock. True: another thread woke this one; false: its deadline has come.
bool end_rest();

/// The earliest of the process' timerfd timers; rings those that are due.
std::int64_t ring_timers();

/// `look` returns what it found, or 0 for nothing yet; `files` are the files that it polls, with
/// room for one more. Returns what it found, 0 at the deadline, or -1.
template <class Look>
int wait(Look look, pollfd* files, std::size_t count, std::int64_t deadline,
         const sigset_t* mask = nullptr) {
    // Otherwise a loop that always finds something would starve the threads that it waits for.
    yield();
    while (true) {
        const std::int64_t rings = ring_timers();
        const int found = look();
        if (found != 0) return found;
        if (now() >= deadline) return 0;
        if (!sleep_on(files, count, rings < deadline ? rings : deadline, mask)) return -1;
    }
}

/// Fills `bytes` from the seed. False: there is no seed, use the machine's random bytes.
bool draw(void* bytes, std::size_t count);
/// Whether the file is a source of random bytes.
bool is_random(int file);
void forget_random(int file);

}  // namespace locklab::shim
