// A Redis server as a value: its keys, its cached scripts, and the transactions that connections
// have open. A snapshot is a copy.
//
// It replies as redis-server 7.0 does, or another of kServers, as the engine of its scripts says;
// their source and replies (see the differential test) are the reference. Simplifications: every
// command sees one frozen clock, even inside a script; expired keys are removed when they are
// looked up, or by expire(); hashes keep the order of insertion at any size; math.random starts
// over in each script.
#pragma once

#include <span>
#include <string_view>

#include "harness/core/command.h"
#include "harness/core/reply.h"
#include "harness/core/time.h"
#include "harness/store/redis/keyspace.h"
#include "harness/store/redis/script_cache.h"
#include "harness/store/redis/script_engine.h"

namespace locklab {

class RedisModel {
public:
    /// Executes a command, or a script with KEYS[1] and ARGV, atomically at the server's `now`.
    /// `scripts` holds no state of the server: any engine gives the same reply. A command that is
    /// not modelled gets the reply for an unknown command; scripts.not_modelled() then names it.
    /// `from`: the connection over which it came.
    Reply execute(const Command& command, WallTime now, ScriptEngine& scripts,
                  SessionId from = kNoConnection);
    /// The same for any number of words.
    Reply execute(std::span<const std::string_view> words, WallTime now, ScriptEngine& scripts,
                  SessionId from = kNoConnection);
    /// The same for a command whose turn has come with EXEC.
    Reply execute(const QueuedCommand& queued, WallTime now, ScriptEngine& scripts, SessionId from);
    /// The connection closes: its transaction, and what it watches, are forgotten.
    void close(SessionId id) { keys_.sessions().close(id); }
    /// Runs a script that `scripts` compiled, and adds it to the script cache.
    Reply run(const CompiledScript& script, std::span<const std::string_view> keys,
              std::span<const std::string_view> arguments, WallTime now, ScriptEngine& scripts);

    /// Removes the key, as memory pressure does. False if there was none.
    bool evict(std::string_view key) { return keys_.erase(key); }
    /// Adds a key, which must not exist; for reconstructing what a real server held.
    void put(const KeyEntry& entry) {
        keys_.add(entry.name, entry.value).deadline_ms = entry.deadline_ms;
    }
    /// Removes all keys.
    void flush() { keys_.clear(); }
    /// What a replica, or a snapshot on disk, has of the server: the keys. Since Redis 7 neither
    /// has scripts (https://redis.io/docs/interact/programmability/eval-intro, "Script cache"). No
    /// connection lives on there.
    RedisModel keys_only() const {
        RedisModel data = *this;
        data.script_flush();
        data.sessions() = Sessions();
        return data;
    }
    /// Empties the script cache.
    void script_flush() { cache_.clear(); }
    /// Does what Redis's active expiry does in time: removes keys past their deadline that were not
    /// looked up. Only DBSIZE, and a clock that is set back, show the difference.
    void expire(WallTime now);

    /// Every stored key in the order of names, including those past their deadline.
    const Keyspace& keys() const { return keys_; }
    Sessions& sessions() { return keys_.sessions(); }
    const Sessions& sessions() const { return keys_.sessions(); }
    ScriptCache& script_cache() { return cache_; }
    const ScriptCache& script_cache() const { return cache_; }

    bool operator==(const RedisModel&) const = default;

private:
    /// Words: as many keys as said, then the arguments.
    Reply run(const Script& script, std::size_t keys, std::span<const std::string_view> words,
              WallTime now, ScriptEngine& scripts);

    Keyspace keys_;
    ScriptCache cache_;
};

}  // namespace locklab
