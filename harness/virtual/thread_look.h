// What the kernel says of threads of other processes: whether they sleep, and in which system call.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>

namespace locklab {

class ThreadLook {
public:
    ThreadLook() = default;
    ~ThreadLook();
    ThreadLook(const ThreadLook&) = delete;
    ThreadLook& operator=(const ThreadLook&) = delete;

    /// True if the thread waits in the kernel for something that has not come. False if it is about
    /// to run, or waits for a disk.
    bool sleeps(pid_t process, pid_t thread);
    /// From now on other threads may have these numbers.
    void forget(pid_t process);

    struct Call {
        long number = 0;
        bool only_others_end = false;  ///< a futex wait without a time-out
    };
    /// Nothing if the thread runs, or the kernel does not tell.
    static std::optional<Call> call_of(pid_t process, pid_t thread);

private:
    std::map<pid_t, std::map<pid_t, int>> files_;
};

}  // namespace locklab
