// What one execution did to one key, and to the others: the keyspace before and after it, compared.
// So every command that the model knows is judged in the same way, in a script or not, however it
// is written.
#pragma once

#include <string_view>
#include <vector>

#include "harness/core/history.h"
#include "harness/store/redis/redis_model.h"

namespace locklab {

/// Reuse one object: it keeps its memory.
class KeyDelta {
public:
    void before(const RedisModel& model, std::string_view key, WallTime now);
    /// For the key of before(), at the same instant: a command takes no time.
    KeyEffect after(const RedisModel& model) const;
    /// The effects on all other keys that changed, in the order of their names.
    std::vector<event::OtherKey> others(const RedisModel& model) const;

private:
    bool was_there_ = false;
    KeyEntry was_;
    std::vector<KeyEntry> others_;
    std::int64_t now_ms_ = 0;
};

}  // namespace locklab
