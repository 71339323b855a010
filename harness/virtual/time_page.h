// The page of memory that the keeper of time shares with the processes that live in virtual time
// (VirtualTime), and with those whose clock alone is wrong (WrongClock).
//
// 1. A process reads the time in its own row, which only the keeper sets: so one can be shown a
//    later time than another, and who is not shown it does not act.
// 2. A thread that waits publishes until when, and which kick it had seen before it looked for
//    input the last time. The keeper kicks after it has written something, so who has seen the
//    newest kick and waits has found all there was.
// 3. Times are nanoseconds.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace locklab {

inline constexpr std::uint32_t kTimePageMagic = 0x4C4B5431;
inline constexpr std::int64_t kNoDeadline = INT64_MAX;
/// In the environment: "FOLDER:N", the folder of the page and the process' row.
inline constexpr const char* kTimeVariable = "LOCKLAB_TIME";

enum class ThreadState : std::uint32_t {
    runs,
    waits,  ///< for input, or for a time
    rests,  ///< for another thread, or for a time: what comes to the process is not its affair
    joins,  ///< for the end of another thread: the process lives in its other threads
};

struct ThreadRow {
    std::atomic<std::int32_t> owner;  ///< 0: nobody
    std::atomic<ThreadState> state;
    std::atomic<std::int64_t> deadline;
    std::atomic<std::uint64_t> seen;
};

struct ProcessRow {
    static constexpr std::size_t kThreads = 64;

    std::atomic<std::int32_t> pid;  ///< 0: none has come yet
    /// Its waits are virtual, and its time is `now`. Else the clock of the machine runs, `ahead`
    /// and `drift` are what is wrong with it, and waits are real.
    std::atomic<std::uint32_t> is_virtual;
    std::atomic<std::int64_t> now;        ///< of its monotonic clock
    std::atomic<std::int64_t> wall;       ///< of its wall clock at monotonic time 0
    std::atomic<std::int64_t> ahead;      ///< its wall clock
    std::atomic<std::int64_t> drift_ppm;  ///< by which it runs too fast...
    std::atomic<std::int64_t> since;      ///< ...since this time of the machine's monotonic clock
    std::atomic<std::uint64_t> kicks;
    std::atomic<std::uint64_t> inputs;  ///< waits that ended since there was something
    std::atomic<std::uint64_t> seed;    ///< of its random bytes; 0: they are the machine's
    std::atomic<std::uint64_t> draws;   ///< words of them, so far
    std::atomic<std::uint32_t> rings;   ///< it has set a timer that comes as a signal
    std::atomic<std::uint64_t> asked;  ///< for the time, of whatever clock; where it is not virtual
    std::array<ThreadRow, kThreads> threads;
};

struct TimePage {
    static constexpr std::size_t kProcesses = 32;

    std::uint32_t magic;
    std::atomic<std::uint32_t> changes;   ///< goes up as somebody begins to wait
    std::atomic<std::uint32_t> listened;  ///< the keeper sleeps until it does
    std::array<ProcessRow, kProcesses> processes;
};

}  // namespace locklab
