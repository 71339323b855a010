// One command as its handler sees it, and the type of handlers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "harness/core/reply.h"
#include "harness/core/time.h"
#include "harness/store/redis/keyspace.h"

namespace locklab {

class RedisModel;
class ScriptEngine;
struct RedisCall;

using RedisHandler = Reply (*)(RedisCall& call);

struct CommandRow {
    std::string_view name;  ///< in lower case, as errors print it
    /// Number of words with the name: exactly this many, or at least as many if negative.
    int arity = 0;
    RedisHandler run = nullptr;
    bool in_scripts = true;      ///< whether a script may call it
    bool waits_for_exec = true;  ///< in a transaction; false: it runs at once
    bool valkey_only = false;    ///< others than Valkey 9 do not have it

    bool accepts(std::size_t words) const {
        const int count = static_cast<int>(words);
        return arity >= 0 ? count == arity : count >= -arity;
    }
};

struct RedisCall {
    RedisModel& model;
    Keyspace& keys;
    ScriptEngine& scripts;
    WallTime now;
    std::int64_t now_ms;
    const CommandRow& row;
    std::span<const std::string_view> words;  ///< word 0 is the name
    SessionId from = kNoConnection;           ///< the connection; of a script, that of its EVAL

    KeyEntry* find(std::string_view key) const { return keys.find(key, now_ms); }
};

/// Redis's clock counts whole milliseconds.
inline std::int64_t milliseconds(WallTime now) {
    return std::chrono::floor<std::chrono::milliseconds>(now).time_since_epoch().count();
}

}  // namespace locklab
