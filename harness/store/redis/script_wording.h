// What scripts are told, word by word: Valkey took the name of Redis out of these sentences.
#pragma once

#include <array>
#include <string_view>

#include "harness/core/server_kind.h"

namespace locklab {

struct ScriptWording {
    std::string_view no_such_script;   ///< EVALSHA's reply
    std::string_view unknown_command;  ///< these three: a reply of redis.call
    std::string_view wrong_number;
    std::string_view not_allowed;
    std::string_view no_argument;  ///< these two: redis.call raises it, after the word ERR
    std::string_view bad_argument;
    bool names_script = false;  ///< whether an error says which script it ended, by its SHA1
};

inline constexpr ScriptWording kWordingOfRedis{
    "NOSCRIPT No matching script. Please use EVAL.",
    "ERR Unknown Redis command called from script",
    "ERR Wrong number of args calling Redis command from script",
    "ERR This Redis command is not allowed from script",
    "Please specify at least one argument for this redis lib call",
    "Lua redis lib command arguments must be strings or integers",
    true};
constexpr ScriptWording wording_of_valkey(bool names_script) {
    return {"NOSCRIPT No matching script.",
            "ERR Unknown command called from script",
            "ERR Wrong number of args calling command from script",
            "ERR This Valkey command is not allowed from script",
            "Please specify at least one argument for this call",
            "Command arguments must be strings or integers",
            names_script};
}
/// By ServerKind.
inline constexpr std::array<ScriptWording, kServers.size()> kScriptWording{
    kWordingOfRedis, kWordingOfRedis, wording_of_valkey(true), wording_of_valkey(false)};

constexpr const ScriptWording& script_wording(ServerKind server) {
    return kScriptWording[static_cast<std::size_t>(server)];
}

}  // namespace locklab
