// How many threads a search of driver processes has, and where they run.
#pragma once

#include <cstdint>

namespace locklab {

/// For so many plays, where nobody says how many: one for each processor, since a second one there
/// costs more in caches than it gains. Fewer where the plays are too few to pay for the start of
/// processes.
std::uint32_t usual_threads(std::uint64_t plays);

/// The processor of one of them. A thread and its processes act in turn, so they share one.
int processor_of(std::uint32_t thread);

}  // namespace locklab
