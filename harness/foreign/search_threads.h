// Number and processors of the threads in a search of driver processes.
#pragma once

#include <cstdint>

namespace locklab {

/// The default for this many plays: one per processor, since a second one there costs more in
/// caches than it gains. Fewer if the plays are too few to pay for starting processes.
std::uint32_t usual_threads(std::uint64_t plays);

/// The processor of this thread. A thread and its processes act in turn, so they share one.
int processor_of(std::uint32_t thread);

}  // namespace locklab
