// A find of a search as a file: who, within which bounds, and the steps in words.
#pragma once

#include <string>
#include <string_view>

#include "harness/cli/step_player.h"

namespace locklab {

/// One line of JSON: a "locklab-trace" as the others, with "kind": "steps".
std::string to_json(const Find& find);

/// Whether the text of a trace is that of a find.
bool is_find_trace(std::string_view text);

/// Throws FormatError with one sentence.
Find read_find(std::string_view text, std::string_view name);

}  // namespace locklab
