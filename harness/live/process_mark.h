// A mark on a process and on everything that it starts, directly or not, whatever those do: new
// session, other environment, other name, no parent.
//
// It is the soft limit of file locks (RLIMIT_LOCKS). Linux has ignored that limit since 2.4.25, and
// passes it on at each fork and exec; any process may set it, and /proc shows it. The mark names
// the locklab process that set it, so that a later one finds what a killed one left.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace locklab {

class ProcessMark {
public:
    /// Each object has another mark. Throws std::runtime_error with one sentence if the limit
    /// cannot be set as high as a mark is.
    ProcessMark();

    /// Call it in the child, between fork and exec: it allocates nothing.
    void put_on() const;
    /// Whether the process has the mark. Any process may take it off: it is then not found here.
    bool is_on(pid_t process) const;
    /// The processes that have the mark, by number, from one walk through /proc. Zombies are left
    /// out.
    std::vector<pid_t> bearers() const;
    /// Kills all processes that have the mark. Returns when they are gone, or after some seconds.
    void kill_bearers() const;

    /// Kills the marked processes of dead locklab processes. Returns how many.
    static std::size_t kill_what_the_dead_left();
    /// Children of this process that have not ended.
    static std::vector<pid_t> children();
    /// Once there was a mark, kills all children of this process, and theirs, marked or not: what a
    /// process of ours leaves becomes our child. For the end of the program. `spared`: those that
    /// it had when it began, as after a shell's exec.
    static void kill_children(const std::vector<pid_t>& spared);

private:
    std::uint64_t mark_;
};

/// True if every thread of the process has stopped (SIGSTOP), or the process is gone.
bool stands_still(pid_t process);

}  // namespace locklab
