// One event of a history, to and from one line of JSON. Keys have the names of members; times end
// in _us.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/core/history.h"
#include "harness/core/limits.h"
#include "harness/record/command_json.h"
#include "harness/record/json_line.h"

namespace locklab {

nlohmann::ordered_json to_json(const Event& event);

/// Reads the common keys of events, and those of its kind. A grant without its ordinal gets
/// `next_grant`; a write without its grant gets 0.
Event read_event(JsonLine& line, NamedScripts& scripts, std::uint64_t next_grant);

}  // namespace locklab
