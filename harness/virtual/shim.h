// What the parts of the preloaded library share. It is loaded into programs that know nothing of
// it: it uses no C++ library, allocates nothing, and throws nothing.
//
// A wait looks for what it waits for without waiting; where there is nothing, its thread lays down
// the baton, and sleeps in the kernel until it is handed it again.
#pragma once

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>

#include <cstddef>
#include <cstdint>
#include <ctime>

#include "harness/virtual/time_page.h"

// What programs find instead of the C library's.
#define LOCKLAB_EXPORT extern "C" __attribute__((visibility("default")))

namespace locklab::shim {

inline constexpr std::int64_t kSecond = 1'000'000'000;

/// Null where the process has no row: then everything is as if nothing were preloaded.
ProcessRow* row();
TimePage* page();
bool is_virtual();
/// By this process' row.
std::int64_t now();
long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0);

/// What the clock of the machine shows. It asks the kernel: who looks for the C library's function
/// allocates, and a sanitizer asks for the time as it does.
int machine_clock(clockid_t clock, timespec* at);
/// Where a time of one of its clocks stands on the virtual monotonic one.
std::int64_t monotonic_of(clockid_t clock, const timespec& at);
std::int64_t after(const timespec& span);
/// The same time by the right clock of the machine, for who has a wrong one and waits really.
timespec by_right_clock(clockid_t clock, const timespec& at);

/// The next function of this name, behind this library.
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
/// For a thread that is about to be created: it is ready. Its number; -1: all rows are taken.
int reserve_row();
/// Of the thread that was created for it, which has not begun.
void name_row(int reserved, std::uintptr_t thread);
/// The thread of a reserved row begins, and returns from this when it has the baton.
void enter(int reserved);
/// It could not be created.
void give_back(int reserved);

/// Of a program that begins: its first thread has the baton.
void begin_turns(TimePage* page, std::size_t process);
/// Of what was forked, which lives in real time.
void forget_turns();

/// Sleeps until one of the files has something, or the deadline has come. There is room for one
/// more behind them. False: a signal came.
bool sleep_on(pollfd* files, std::size_t count, std::int64_t deadline, const sigset_t* mask);
/// Others that are ready go first.
void yield();
/// Another thread may have laid down what this one wants: it tries again when that may be so.
void try_later();

/// Rows are seen and changed under it.
class TurnLock {
public:
    TurnLock();
    ~TurnLock();
    TurnLock(const TurnLock&) = delete;
    TurnLock& operator=(const TurnLock&) = delete;
};
/// Those two are called with it: this thread begins to wait for `on`; and the first that waits for
/// it is ready. False: nobody does.
void begin_rest(const void* on, std::int64_t deadline);
bool wake_one(const void* on);
/// Without it: this thread begins to wait for the end of that one. False: it has ended.
bool begin_join(std::uintptr_t thread);
/// Without it: returns whether another thread has woken this one; else its time has come.
bool end_rest();

/// The earliest of the process' timers that are files, and rings those that are due.
std::int64_t ring_timers();

/// `look` returns what it found, 0 for nothing yet; `files` are what it looks at, with one place
/// left behind them. Returns what it found, 0 at the deadline, or -1.
template <class Look>
int wait(Look look, pollfd* files, std::size_t count, std::int64_t deadline,
         const sigset_t* mask = nullptr) {
    // A loop that always finds something would starve those that it waits for.
    yield();
    while (true) {
        const std::int64_t rings = ring_timers();
        const int found = look();
        if (found != 0) return found;
        if (now() >= deadline) return 0;
        if (!sleep_on(files, count, rings < deadline ? rings : deadline, mask)) return -1;
    }
}

/// Fills it with bytes that follow from the seed. False: the machine's are to be had.
bool draw(void* bytes, std::size_t count);
/// Whether the file is one that gives random bytes.
bool is_random(int file);
void forget_random(int file);

}  // namespace locklab::shim
