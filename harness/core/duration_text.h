// Durations as people type them: 250us, 10ms, 1.5s.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/core/time.h"

namespace locklab {

/// A non-negative number and one of us, ms, s, min; nothing if `text` is not that.
std::optional<Duration> parse_duration(std::string_view text);

/// The shortest text that parse_duration() reads back: 1500ms is "1.5s".
std::string to_string(Duration duration);

}  // namespace locklab
