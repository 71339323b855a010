// One event of a history, to and from one line of JSON. Keys are named as the members are, times
// end in _us.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/core/history.h"
#include "harness/core/limits.h"
#include "harness/record/json_line.h"

namespace locklab {

/// The scripts that a file speaks of: they have a name, and neither text nor effect.
class NamedScripts {
public:
    const Script& named(const std::string& name);

private:
    std::map<std::string, Script> scripts_;
};

nlohmann::ordered_json to_json(const Event& event);

/// Reads the keys that every event has, and those of its kind. A grant without its ordinal gets
/// `next_grant`; a write without its grant gets 0.
Event read_event(JsonLine& line, NamedScripts& scripts, std::uint64_t next_grant);

}  // namespace locklab
