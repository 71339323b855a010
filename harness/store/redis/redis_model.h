// A Redis server as a value: its keys and the scripts that it knows. A snapshot is a copy.
//
// It answers as redis-server 7.0 does, whose source and whose answers (see the differential
// test) are the reference. What is simpler here: every command sees one frozen clock, also
// inside a script; expired keys go when they are looked up, or when expire() is called; hashes
// keep the order of insertion however large they grow; math.random starts over in each script.
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
    /// `scripts` holds nothing of the server: any engine gives the same answer. A command that is
    /// not modelled is answered as one that does not exist; scripts.not_modelled() then names it.
    Reply execute(const Command& command, WallTime now, ScriptEngine& scripts);
    /// The same for any number of words.
    Reply execute(std::span<const std::string_view> words, WallTime now, ScriptEngine& scripts);
    /// Runs a script that `scripts` compiled; it is in the script cache from then on.
    Reply run(const CompiledScript& script, std::span<const std::string_view> keys,
              std::span<const std::string_view> arguments, WallTime now, ScriptEngine& scripts);

    /// The key disappears, as under memory pressure. False if there was none.
    bool evict(std::string_view key) { return keys_.erase(key); }
    /// Adds a key that is not there, for one who works out what a real server held.
    void put(const KeyEntry& entry) {
        keys_.add(entry.name, entry.value).deadline_ms = entry.deadline_ms;
    }
    /// All keys disappear.
    void flush() { keys_.clear(); }
    /// What a replica has of it, and a snapshot on disk: the keys. Scripts are in neither since
    /// Redis 7 (https://redis.io/docs/interact/programmability/eval-intro, "Script cache").
    RedisModel without_scripts() const {
        RedisModel data = *this;
        data.script_flush();
        return data;
    }
    /// The script cache disappears.
    void script_flush() { cache_.clear(); }
    /// What Redis's active expiry gets to in time: keys past their deadline go without having
    /// been looked up. Only DBSIZE, and a clock that is set back, can tell.
    void expire(WallTime now);

    /// Every stored key in the order of names, with those past their deadline.
    const Keyspace& keys() const { return keys_; }
    ScriptCache& script_cache() { return cache_; }
    const ScriptCache& script_cache() const { return cache_; }

    bool operator==(const RedisModel&) const = default;

private:
    Keyspace keys_;
    ScriptCache cache_;
};

}  // namespace locklab
