// Runs the Lua text of scripts as Redis does, in one Lua 5.1 state that is reused
// (https://redis.io/docs/interact/programmability/lua-api).
//
// Invariants: 1. Between runs the Lua stack holds what Base names. 2. A run leaves nothing that a
// later run can see: globals and libraries are read-only, KEYS and ARGV are as new, and the random
// numbers start over.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/command.h"
#include "harness/core/reply.h"
#include "harness/core/server_kind.h"
#include "harness/core/sha1.h"
#include "harness/store/redis/number_text.h"
#include "harness/store/redis/script_limits.h"

struct lua_State;

namespace locklab {

/// Answers redis.call.
class ScriptHost {
public:
    virtual ~ScriptHost() = default;
    virtual Reply call(std::span<const std::string_view> words) = 0;
};

/// What commands used of a server besides its keys.
struct AskedOfServer {
    bool clock = false;          ///< TIME, or a deadline as a time of day: set, or replied
    bool reply_by_time = false;  ///< a reply that differs with the instant: TIME, TTL
    std::vector<Sha1> scripts;   ///< scripts looked for in the script cache; sorted

    void script(const Sha1& sha);
};

struct CompiledScript {
    Sha1 sha;
    std::string name;  ///< the SHA1 in hex, as errors print it
    std::shared_ptr<const std::string> text;
    int function = 0;  ///< its place in the Lua registry
};

class ScriptEngine {
public:
    ScriptEngine();
    ~ScriptEngine();
    ScriptEngine(const ScriptEngine&) = delete;
    ScriptEngine& operator=(const ScriptEngine&) = delete;

    /// The server in which it runs: that one's commands are known. At first Redis.
    ServerKind server() const { return server_; }
    void run_in(ServerKind server) { server_ = server; }

    struct Compiled {
        const CompiledScript* script = nullptr;  ///< valid as long as the engine
        Reply error;                             ///< EVAL's reply if `script` is null
    };
    Compiled compile(std::string_view text);
    /// The same; immediate if the script was compiled before.
    Compiled compile(const Script& script) {
        for (const Known& known : known_) {
            if (known.script == &script && known.text == script.lua.data()) {
                return {known.compiled, {}};
            }
        }
        return remember(script);
    }

    /// Runs a script that this engine compiled. The script leaves nothing behind. If it exceeds
    /// ScriptLimits, it ends with an error, and is noted as not modelled.
    Reply run(const CompiledScript& script, std::span<const std::string_view> keys,
              std::span<const std::string_view> arguments, ScriptHost& host);

    /// The first thing that was asked of Redis and that the model lacks ("LPUSH", "the Lua library
    /// cjson"), since construction or forget_not_modelled(). Its reply was an error that Redis
    /// would not give. Empty: nothing.
    const std::string& not_modelled() const { return not_modelled_; }
    void note_not_modelled(std::string_view what);
    void forget_not_modelled() { not_modelled_.clear(); }

    /// Which limit the last run exceeded, as ScriptLimits says it; null: none.
    const char* exceeded() const { return limits_.exceeded(); }

    /// What commands used of servers since construction or forget_asked(). The commands themselves
    /// record it, so it does not depend on the text of scripts.
    const AskedOfServer& asked() const { return asked_; }
    void note_clock() { asked_.clock = true; }
    void note_reply_by_time() { asked_.reply_by_time = true; }
    void note_script(const Sha1& sha) { asked_.script(sha); }
    void forget_asked() { asked_ = AskedOfServer(); }

private:
    friend struct ScriptApi;

    struct Known {
        const Script* script;
        const char* text;
        const CompiledScript* compiled;
    };
    /// The table KEYS or ARGV.
    struct Words {
        int place;         ///< on the Lua stack
        const char* name;  ///< of the global variable
        std::size_t size = 0;
    };

    Compiled remember(const Script& script);
    void fill(Words& table, std::span<const std::string_view> words);
    void put(Words& table, std::span<const std::string_view> words);
    bool is_as_filled(const Words& table) const;
    void renew(Words& table);
    Reply raised(const CompiledScript& script) const;
    void look_for_library(const Reply& reply);

    ScriptLimits limits_;
    ServerKind server_ = ServerKind::redis;
    lua_State* lua_;
    ScriptHost* host_ = nullptr;
    std::uint64_t random_ = 0;
    std::vector<std::string_view> words_;
    std::vector<NumberRoom> numbers_;
    std::map<Sha1, CompiledScript> compiled_;
    std::vector<Known> known_;
    std::string not_modelled_;
    AskedOfServer asked_;
    Words keys_;
    Words argv_;
};

}  // namespace locklab
