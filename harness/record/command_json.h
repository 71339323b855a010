// A command of a history, to and from JSON: a list of its words; a script is
// {"script":NAME,"words":[...]}, with "keys" unless it has one.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/core/command.h"
#include "harness/record/json_line.h"

namespace locklab {

/// The scripts in a file, by name, with a text if the file has it.
class NamedScripts {
public:
    const Script& named(const std::string& name);
    /// Call it before any command refers to the script.
    void tell(const std::string& name, std::string lua);

private:
    struct Told {
        std::string lua;
        Script script;
    };
    std::map<std::string, Told> scripts_;
};

nlohmann::ordered_json to_json(const Command& command);

/// The `command` of the line.
Command read_command(JsonLine& line, NamedScripts& scripts);

}  // namespace locklab
