// A mark on a process, and on all that it starts, however far down and whatever they do: in a
// session of its own, with another environment, under another name, as nobody's child.
//
// It is the soft limit of file locks (RLIMIT_LOCKS). Linux has not looked at that one since 2.4.25,
// and hands it on at each fork and exec; anybody may set it, and /proc shows it. It names the
// process of ours that put it on, so that what a killed one left is found by the next.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace locklab {

class ProcessMark {
public:
    /// Another one for each.
    ProcessMark();

    /// In the child, between fork and exec: allocates nothing.
    void put_on() const;
    /// Who bears it, in the order of their numbers, by one walk through /proc. Zombies do not.
    std::vector<pid_t> bearers() const;
    /// Kills those that bear it, until there is none. Returns when they are gone, or after some
    /// seconds.
    void kill_bearers() const;

    /// Kills what processes of ours left that are dead by now. Returns how many.
    static std::size_t kill_what_the_dead_left();

private:
    std::uint64_t mark_;
};

/// Every thread of the process stands still (SIGSTOP), or it is gone.
bool stands_still(pid_t process);

}  // namespace locklab
