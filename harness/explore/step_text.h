// Steps as they are written in traces and messages: "A send", "B take slow", "pass 300ms".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/explore/rules.h"
#include "harness/explore/step_table.h"

namespace locklab {

std::string to_string(const Step& step);

/// Nothing if it is none.
std::optional<Step> parse_step(std::string_view text);

/// At which server it is made, or which it befalls; 0 where it has to do with none.
std::uint32_t server_of_step(const Step& step);

}  // namespace locklab
