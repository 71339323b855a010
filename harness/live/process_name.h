// A name for this process that no other has, ever, so that who comes later can tell whether the
// process that left something is dead.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace locklab {

/// The machine's boot, the namespace of process numbers, the number, and when it began.
std::string this_process();

/// Whether the process of this name is known to be dead. False for one of another machine, of
/// another boot or namespace, and for what is no such name.
bool is_dead(const std::string& name);

/// When it began, in ticks since the boot; zero if there is no such process.
std::uint64_t start_of(pid_t process);
/// Whether it has started processes that it has not waited for; where the kernel does not list
/// children (CONFIG_PROC_CHILDREN), false.
bool has_children(pid_t process);
/// Page faults of those that it has waited for: each process has some.
std::uint64_t childrens_faults(pid_t process);
/// What /proc calls its state ('R', 'T', 'Z'); zero if there is none. `folder`: of a process, or of
/// a thread.
char state_of(pid_t process);
char state_in(const std::string& folder);

}  // namespace locklab
