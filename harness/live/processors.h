// The processors that this process may use, and pinning of threads to one. Two processes that talk
// on the same processor need not wake another one, which on a virtual machine costs ten times the
// rest.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <vector>

namespace locklab {

/// Their numbers, in order: those allowed when this process started, at least one.
const std::vector<int>& processors();

/// The one on which this thread runs just now.
int current_processor();

/// This thread, and what it starts from now on, leave the processors to others that want them, for
/// good. `nice`: 1 to 19, as nice(1) has it.
void give_way(int nice);

/// Pins a thread, and what it starts from now on, to one processor, as long as this lives; then it
/// may use again what it could before. No effect if the kernel refuses.
class KeptOn {
public:
    /// `thread` 0 is the calling thread; a process is its first thread.
    explicit KeptOn(int processor, pid_t thread = 0);
    ~KeptOn();
    KeptOn(const KeptOn&) = delete;
    KeptOn& operator=(const KeptOn&) = delete;

private:
    const pid_t thread_;
    cpu_set_t before_{};
};

/// The first thread of a process, and what it starts from now on, go before all ordinary processes
/// of the machine (SCHED_RR), for good. No effect if the kernel refuses: it takes root, or
/// CAP_SYS_NICE. 0 is the calling thread.
void go_before_others(pid_t process);

/// The calling thread goes before others as long as this lives; what it has started keeps that.
class BeforeOthers {
public:
    BeforeOthers();
    ~BeforeOthers();
    BeforeOthers(const BeforeOthers&) = delete;
    BeforeOthers& operator=(const BeforeOthers&) = delete;

private:
    const int policy_before_;
    sched_param param_before_{};
};

}  // namespace locklab
