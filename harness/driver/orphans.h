// What a driver started and left, in a session of its own: a signal to the driver's process group
// does not reach it. As its parent ends, it becomes a child of locklab (PR_SET_CHILD_SUBREAPER,
// Linux 3.4), who knows it by a mark in its environment, or since it was below the driver as that
// was ended. Who has neither is not found: its parent had ended before, and its environment is not
// the one that it was given.
#pragma once

#include <sys/types.h>

#include <map>
#include <set>
#include <string>

namespace locklab {

class Orphans {
public:
    /// From now on locklab is told of orphans: once for the program.
    Orphans();

    /// With what the driver is started, beside its own environment: another one for each.
    const std::map<std::string, std::string>& mark() const { return mark_; }
    /// Before the driver is ended: notes who is below it.
    void note_descendants(pid_t driver);
    /// Once it is gone: kills what is left. Returns when they are gone. Where the kernel does not
    /// list children (CONFIG_PROC_CHILDREN), nobody is found.
    void end() const;

private:
    bool end_some() const;

    std::map<std::string, std::string> mark_;
    std::set<pid_t> descendants_;
};

}  // namespace locklab
