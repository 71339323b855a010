// Which processors this process may use, and threads that are kept to one of them. Who speaks with
// a process that is on the same processor wakes no other one, which on a virtual machine costs ten
// times the rest.
#pragma once

#include <sys/types.h>

#include <vector>

namespace locklab {

/// Their numbers, in order: what this process was allowed as it started, at least one.
const std::vector<int>& processors();

/// Keeps a thread, and what it starts from here on, to one of the processors, for as long as this
/// lives. Where the kernel does not let it, everything stays as it is.
class KeptOn {
public:
    /// 0 is the calling thread; a process is its first thread.
    explicit KeptOn(int processor, pid_t thread = 0);
    ~KeptOn();
    KeptOn(const KeptOn&) = delete;
    KeptOn& operator=(const KeptOn&) = delete;

private:
    const pid_t thread_;
};

}  // namespace locklab
