// A command of a history, to and from JSON: a list of its words; of a script
// {"script":NAME,"words":[...]}, with "keys" where there is not one of them.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/core/command.h"
#include "harness/record/json_line.h"

namespace locklab {

/// The scripts that a file speaks of: they have a name, and neither text nor effect.
class NamedScripts {
public:
    const Script& named(const std::string& name);

private:
    std::map<std::string, Script> scripts_;
};

nlohmann::ordered_json to_json(const Command& command);

/// What the line has as `command`.
Command read_command(JsonLine& line, NamedScripts& scripts);

}  // namespace locklab
