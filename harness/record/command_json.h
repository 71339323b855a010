// A command of a history, to and from JSON: a list of its words; of a script
// {"script":NAME,"words":[...]}, with "keys" where there is not one of them.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/core/command.h"
#include "harness/record/json_line.h"

namespace locklab {

/// The scripts that a file speaks of: they have a name, and a text if the file tells it.
class NamedScripts {
public:
    const Script& named(const std::string& name);
    /// To be called before anybody asks for it.
    void tell(const std::string& name, std::string lua);

private:
    struct Told {
        std::string lua;
        Script script;
    };
    std::map<std::string, Told> scripts_;
};

nlohmann::ordered_json to_json(const Command& command);

/// What the line has as `command`.
Command read_command(JsonLine& line, NamedScripts& scripts);

}  // namespace locklab
