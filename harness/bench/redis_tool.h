// Redis's own tool for measuring, redis-benchmark.
#pragma once

#include <cstdint>
#include <string>

namespace locklab {

/// Commands per second: `command` over and over, from so many clients, each of which waits for its
/// reply. `where` is the tool's own option for that: -s PATH, or -h HOST -p PORT. `small`: only to
/// see that it works. Throws std::runtime_error where the tool is not there or gives no figure.
double tool_rate(const std::string& where, std::uint32_t clients, bool small,
                 const std::string& command);

}  // namespace locklab
