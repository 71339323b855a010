// What the parts of the preloaded library share. It is loaded into programs that know nothing of
// it: it uses no C++ library, allocates nothing, and throws nothing.
//
// A wait looks for input without waiting; where there is none, it publishes its deadline and sleeps
// in the kernel, on its files and on a pipe that the keeper of time writes to.
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
bool is_virtual();
bool is_main_thread();
/// By this process' row.
std::int64_t now();

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

/// Of a wait that nothing has ended yet: what was published of it.
struct Published {
    ThreadState state;
    std::int64_t deadline;
    std::uint64_t seen;  ///< kicks
};
/// The row of this thread, which it gets as it waits for the first time. Null: all are taken.
ThreadRow* thread_row();
void publish(const Published& wait);
/// Whether its time has come, or something may have come to the process since.
bool is_to_look(const Published& wait);
/// What comes to the process is this thread's affair too: it reads sockets.
void note_reader();
/// The state of this thread where it waits for files or for a time: beside the main thread, only
/// those who read sockets must have looked for what came.
ThreadState waiting_state();
/// It runs again.
void run_again();

/// Sleeps until one of the files may have something, the keeper wakes it, its deadline has come, or
/// it is to look once more. False: a signal came.
bool sleep_on(pollfd* files, std::size_t count, const Published& published, const sigset_t* mask);

/// The earliest of the process' timers that are files, and rings those that are due.
std::int64_t ring_timers();

/// `look` returns what it found, 0 for nothing yet; `files` are what it looks at, with one place
/// left behind them. Returns what it found, 0 at the deadline, or -1.
template <class Look>
int wait(Look look, pollfd* files, std::size_t count, std::int64_t deadline,
         const sigset_t* mask = nullptr) {
    while (true) {
        const std::uint64_t seen = row()->kicks.load();
        const std::int64_t rings = ring_timers();
        const int found = look();
        if (found != 0) {
            row()->inputs.fetch_add(1);
            return found;
        }
        if (now() >= deadline) return 0;
        const Published published{waiting_state(), rings < deadline ? rings : deadline, seen};
        publish(published);
        const bool goes_on = sleep_on(files, count, published, mask);
        run_again();
        if (!goes_on) return -1;
    }
}

/// Fills it with bytes that follow from the seed. False: the machine's are to be had.
bool draw(void* bytes, std::size_t count);
/// Whether the file is one that gives random bytes.
bool is_random(int file);
void forget_random(int file);

}  // namespace locklab::shim
