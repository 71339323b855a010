// Redis's own measuring tool, redis-benchmark.
#pragma once

#include <cstdint>
#include <string>

namespace locklab {

/// Commands for a figure, and for a mere test. In less than a millisecond the tool would measure no
/// time at all.
inline constexpr std::uint32_t kToolCommands = 30'000;
inline constexpr std::uint32_t kFewToolCommands = 1000;

/// Commands per second: `times` times `command`, from `clients` clients, each of which waits for
/// its reply. `where` is the tool's own option for the server: -s PATH, or -h HOST -p PORT. Throws
/// std::runtime_error if the tool is missing or gives no figure.
double tool_rate(const std::string& where, std::uint32_t clients, std::uint32_t times,
                 const std::string& command);

}  // namespace locklab
