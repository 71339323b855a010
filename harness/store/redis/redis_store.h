// One Redis server: its data, and the effect of each command on the lock's key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/store/redis/key_delta.h"
#include "harness/store/redis/redis_model.h"
#include "harness/store/store.h"

namespace locklab {

/// The number of a route's connection in its server's model.
SessionId session_of(const Route& route);

class RedisStore {
public:
    /// `scripts` must outlive the store and its copies.
    explicit RedisStore(ScriptEngine& scripts) : scripts_(&scripts) {}

    /// From now on the outbox tells what each command did to this key. At first no key is watched.
    void watch(std::string_view key) { watched_.emplace(key); }

    void on(const Input& input, WallTime now, Outbox& out);

    RedisModel& data() { return data_; }
    const RedisModel& data() const { return data_; }

private:
    RedisModel data_;
    ScriptEngine* scripts_;
    std::optional<std::string> watched_;  ///< optional, since a key may have an empty name
    KeyDelta delta_;
};

}  // namespace locklab
