// Redis's own tool for measuring, redis-benchmark.
#pragma once

#include <cstdint>
#include <string>

namespace locklab {

/// How many commands give a figure, and how many only show that it works. In less than a
/// millisecond the tool would measure no time at all.
inline constexpr std::uint32_t kToolCommands = 30'000;
inline constexpr std::uint32_t kFewToolCommands = 1000;

/// Commands per second: `command`, so many times, from so many clients, each of which waits for its
/// reply. `where` is the tool's own option for that: -s PATH, or -h HOST -p PORT. Throws
/// std::runtime_error where the tool is not there or gives no figure.
double tool_rate(const std::string& where, std::uint32_t clients, std::uint32_t times,
                 const std::string& command);

}  // namespace locklab
