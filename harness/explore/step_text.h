// Steps as text, for traces and messages: "A send", "B take slow_job", "pass 300ms".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/explore/rules.h"
#include "harness/explore/step_table.h"

namespace locklab {

std::string to_string(const Step& step);

/// Nothing if the text is no step.
std::optional<Step> parse_step(std::string_view text);

/// The server at which the step is made, or that it strikes; 0 if it concerns none.
std::uint32_t server_of_step(const Step& step);

}  // namespace locklab
