// A name for this process that no other has, ever, so that who comes later can tell whether the
// process that left something is dead.
#pragma once

#include <string>

namespace locklab {

/// The machine's boot, the namespace of process numbers, the number, and when it began.
std::string this_process();

/// Whether the process of this name is known to be dead. False for one of another machine, of
/// another boot or namespace, and for what is no such name.
bool is_dead(const std::string& name);

}  // namespace locklab
