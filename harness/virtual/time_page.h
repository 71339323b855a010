// The page of memory that the keeper of time shares with the processes that live in virtual time
// (VirtualTime), and with those whose clock alone is wrong (WrongClock).
//
// 1. A process reads the time in its own row, which only the keeper sets: so one can be shown a
//    later time than another, and a process that is not shown it does not act.
// 2. One thread of one process runs at a time. The keeper says which process has the turn; within
//    it the threads hand one baton on. A wait ends only where both are its thread's, so what runs
//    next does not depend on when the kernel lets a thread run.
// 3. The keeper changes rows of threads only while their process is at rest.
// 4. Times are nanoseconds.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace locklab {

inline constexpr std::uint32_t kTimePageMagic = 0x4C4B5432;
inline constexpr std::int64_t kNoDeadline = INT64_MAX;
/// In the environment: "FOLDER:N", the folder of the page and the process' row.
inline constexpr const char* kTimeVariable = "LOCKLAB_TIME";

enum class ThreadState : std::uint32_t {
    runs,   ///< or waits in a way that the library does not know
    ready,  ///< its wait is over, and it waits for the baton
    files,  ///< it waits for its files, or for a time
    rests,  ///< it waits for another thread, or for a time
    tries,  ///< it wants a mutex that another thread has
    ended,  ///< it is at its last instructions
};

struct ThreadRow {
    std::atomic<std::int32_t> owner;  ///< 0: nobody
    std::atomic<ThreadState> state;
    std::atomic<std::int64_t> deadline;
    std::atomic<std::uint32_t> go;      ///< it sleeps on this number, but for files
    std::atomic<std::uint64_t> ticket;  ///< those with lower ones began to wait before it
    std::atomic<std::uint64_t> tried;   ///< the progress that it saw before it tried last
    std::atomic<std::uintptr_t> on;     ///< what it waits for: a condition, a semaphore, a thread
    std::atomic<std::uint32_t> woken;   ///< by another thread, and not by the time
    std::atomic<std::uint32_t> parked;  ///< its files had something when it could not go on
    std::atomic<std::uint32_t> rung;    ///< its bell, to be taken back
    std::atomic<std::int32_t> bell;     ///< the file by which it is woken where it waits for files
    /// In its process: the files that it waits for, and its own number.
    std::atomic<std::uintptr_t> files;
    std::atomic<std::uint64_t> file_count;
    std::atomic<std::uintptr_t> self;
};

struct ProcessRow {
    static constexpr std::size_t kThreads = 128;

    std::atomic<std::int32_t> pid;  ///< 0: none has come yet
    /// Its waits are virtual, and its time is `now`. Else the clock of the machine runs, `ahead`
    /// and `drift` are what is wrong with it, and waits are real.
    std::atomic<std::uint32_t> is_virtual;
    std::atomic<std::int64_t> now;        ///< of its monotonic clock
    std::atomic<std::int64_t> wall;       ///< of its wall clock at monotonic time 0
    std::atomic<std::int64_t> ahead;      ///< its wall clock
    std::atomic<std::int64_t> drift_ppm;  ///< by which it runs too fast...
    std::atomic<std::int64_t> since;      ///< ...since this time of the machine's monotonic clock
    std::atomic<std::uint64_t> seed;      ///< of its random bytes; 0: they are the machine's
    std::atomic<std::uint64_t> draws;     ///< words of them, so far
    std::atomic<std::uint32_t> rings;     ///< it has set a timer that comes as a signal
    std::atomic<std::uint32_t> crowded;   ///< it has had more threads than there are rows
    std::atomic<std::uint64_t> asked;  ///< for the time, of whatever clock; where it is not virtual

    std::atomic<std::uint32_t> lock;      ///< of the baton, and of the rows of threads
    std::atomic<std::uint32_t> baton;     ///< the thread that has it, counted from 1; 0: none
    std::atomic<std::uint64_t> acts;      ///< how often it was handed on
    std::atomic<std::uint64_t> progress;  ///< without those who tried to have a mutex in vain
    std::atomic<std::uint64_t> tickets;
    /// The last turn in which a thread saw that none could have the baton.
    std::atomic<std::uint32_t> idle;
    std::atomic<std::uint32_t> most;  ///< threads at once
    std::array<ThreadRow, kThreads> threads;
};

struct TimePage {
    static constexpr std::size_t kProcesses = 32;
    static constexpr std::uint32_t kTurns = 64;  ///< between two of a process

    static constexpr std::uint32_t turn_of(std::uint32_t turns, std::size_t process) {
        return turns * kTurns + static_cast<std::uint32_t>(process) + 1;
    }

    std::uint32_t magic;
    /// Which process has it (turn_of); 0: none. Each turn is another number.
    std::atomic<std::uint32_t> turn;
    std::atomic<std::uint32_t> changes;   ///< goes up as a baton is laid down
    std::atomic<std::uint32_t> listened;  ///< the keeper sleeps until it does
    std::array<ProcessRow, kProcesses> processes;
};

}  // namespace locklab
