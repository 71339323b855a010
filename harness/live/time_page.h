// The memory page that the keeper of time shares with the processes that live in virtual time
// (VirtualTime), and with those that only have a wrong clock (WrongClock).
//
// 1. A process reads the time in its own row, which only the keeper sets: so processes can see
// different times, and one whose row does not change does not act.
// 2. One thread of one process runs at a time. The keeper gives one process the turn; its threads
// pass one baton on. A wait ends only when its thread has both, so the next thread to run does not
// depend on the kernel's scheduling.
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
/// Environment variable "FOLDER:N": the folder of the page, and the process' row.
inline constexpr const char* kTimeVariable = "LOCKLAB_TIME";

enum class ThreadState : std::uint32_t {
    runs,   ///< it runs, or waits in a way that the library does not know
    ready,  ///< its wait is over, and it waits for the baton
    files,  ///< it waits for its files, or for a time
    rests,  ///< it waits for another thread, or for a time
    tries,  ///< it wants a mutex that another thread has
    ended,  ///< it executes its last instructions
};

struct ThreadRow {
    std::atomic<std::int32_t> owner;  ///< 0: none
    std::atomic<ThreadState> state;
    std::atomic<std::int64_t> deadline;
    std::atomic<std::uint32_t> go;      ///< futex that it sleeps on, unless it waits for files
    std::atomic<std::uint64_t> ticket;  ///< threads with lower tickets began to wait earlier
    std::atomic<std::uint64_t> tried;   ///< the value of `progress` before its last try
    std::atomic<std::uintptr_t> on;     ///< what it waits for: a condition, a semaphore, a thread
    std::atomic<std::uint32_t> woken;   ///< woken by another thread, not by the time
    std::atomic<std::uint32_t> parked;  ///< its files were ready when it could not go on
    std::atomic<std::uint32_t> rung;    ///< its bell was rung, and must be cleared
    std::atomic<std::int32_t> bell;     ///< the file that wakes it while it waits for files
    /// Addresses in its process: of its list of files, and its own thread id.
    std::atomic<std::uintptr_t> files;
    std::atomic<std::uint64_t> file_count;
    std::atomic<std::uintptr_t> self;
};

struct ProcessRow {
    static constexpr std::size_t kThreads = 128;

    std::atomic<std::int32_t> pid;  ///< 0: no process has come yet
    /// 1: its waits are virtual, and its time is `now`. 0: it uses the machine's clock with the
    /// errors `ahead` and `drift_ppm`, and its waits are real.
    std::atomic<std::uint32_t> is_virtual;
    std::atomic<std::int64_t> now;        ///< of its monotonic clock
    std::atomic<std::int64_t> wall;       ///< its wall clock at monotonic time 0
    std::atomic<std::int64_t> ahead;      ///< error of its wall clock
    std::atomic<std::int64_t> drift_ppm;  ///< rate error of its wall clock...
    std::atomic<std::int64_t> since;      ///< ...since this time of the machine's monotonic clock
    std::atomic<std::uint64_t> seed;      ///< of its random bytes; 0: they are the machine's
    std::atomic<std::uint64_t> draws;     ///< random words drawn so far
    std::atomic<std::uint32_t> rings;     ///< it has set a timer that comes as a signal
    std::atomic<std::uint32_t> crowded;   ///< it has had more threads than there are rows
    std::atomic<std::uint64_t> asked;     ///< reads of any clock; counted only if not virtual

    std::atomic<std::uint32_t> lock;      ///< protects the baton, and the rows of threads
    std::atomic<std::uint32_t> baton;     ///< the thread that has it, counted from 1; 0: none
    std::atomic<std::uint64_t> acts;      ///< how often the baton was handed on
    std::atomic<std::uint64_t> progress;  ///< the same without failed tries for a mutex
    std::atomic<std::uint64_t> tickets;
    /// The last turn in which a thread saw that no thread could have the baton.
    std::atomic<std::uint32_t> idle;
    std::atomic<std::uint32_t> most;  ///< most threads at once so far
    std::array<ThreadRow, kThreads> threads;
};

struct TimePage {
    static constexpr std::size_t kProcesses = 32;
    static constexpr std::uint32_t kTurns = 64;  ///< distance between two turns of a process

    static constexpr std::uint32_t turn_of(std::uint32_t turns, std::size_t process) {
        return turns * kTurns + static_cast<std::uint32_t>(process) + 1;
    }

    std::uint32_t magic;
    /// The present turn, which names its process (turn_of); 0: none. Each turn has another number.
    std::atomic<std::uint32_t> turn;
    std::atomic<std::uint32_t> changes;   ///< grows when a process' baton stays down
    std::atomic<std::uint32_t> listened;  ///< the keeper sleeps until `changes` grows
    std::array<ProcessRow, kProcesses> processes;
};

}  // namespace locklab
