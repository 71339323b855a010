// Steps as they are written in traces and messages: "A send", "B take slow", "pass 300ms".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/explore/rules.h"

namespace locklab {

std::string to_string(const Step& step);

/// Nothing if it is none.
std::optional<Step> parse_step(std::string_view text);

/// Whether the step is a fault.
bool is_fault(const Step& step);

}  // namespace locklab
