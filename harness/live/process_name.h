// A name for this process that no other process ever has, so that a later one can tell whether the
// process that left something is dead.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace locklab {

/// The machine's boot, the namespace of process numbers, the number, and the start time.
std::string this_process();

/// Whether the process of this name is known to be dead. False for one of another machine, boot or
/// namespace, and for a malformed name.
bool is_dead(const std::string& name);

/// Its start time, in ticks since the boot; zero if there is no such process.
std::uint64_t start_of(pid_t process);
/// Whether it has children that it has not waited for; false if the kernel does not list children
/// (CONFIG_PROC_CHILDREN).
bool has_children(pid_t process);
/// Page faults of the children that it has waited for: each process has some.
std::uint64_t childrens_faults(pid_t process);
/// Its state in /proc ('R', 'T', 'Z'); zero if it does not exist. `folder`: of a process, or of a
/// thread.
char state_of(pid_t process);
char state_in(const std::string& folder);

}  // namespace locklab
