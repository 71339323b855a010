// What a driver started and left, in a session of its own: a signal to the driver's process group
// does not reach it. So what a driver starts bears a mark in its environment, and as its parent
// ends, it becomes a child of locklab (PR_SET_CHILD_SUBREAPER, Linux 3.4).
#pragma once

#include <map>
#include <string>

namespace locklab {

class Orphans {
public:
    /// From now on locklab is told of orphans: once for the program.
    Orphans();

    /// With what the driver is started, beside its own environment: another one for each.
    const std::map<std::string, std::string>& mark() const { return mark_; }
    /// Once the driver is gone: kills those that bear the mark. Returns when they are gone. Where
    /// the kernel does not list children (CONFIG_PROC_CHILDREN), nobody is found.
    void end() const;

private:
    bool end_some() const;

    std::map<std::string, std::string> mark_;
};

}  // namespace locklab
