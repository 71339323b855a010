#include "harness/foreign/search_threads.h"

#include <algorithm>

#include "harness/live/processors.h"

namespace locklab {

namespace {

/// A runtime may take a hundred megabytes for each client.
constexpr std::size_t kMostThreads = 32;
/// Starting the processes of a thread takes about as long as this many plays.
constexpr std::uint64_t kPlaysPerThread = 100;

}  // namespace

std::uint32_t usual_threads(std::uint64_t plays) {
    const std::size_t most = std::min(processors().size(), kMostThreads);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(1 + plays / kPlaysPerThread, most));
}

int processor_of(std::uint32_t thread) { return processors()[thread % processors().size()]; }

}  // namespace locklab
