// What one execution did to one key, and to the others: the keyspace before it and after it,
// compared. So every command that the model knows is judged alike, in a script or not, however it
// is spelled.
#pragma once

#include <string_view>
#include <vector>

#include "harness/core/history.h"
#include "harness/store/redis/redis_model.h"

namespace locklab {

/// Used again and again, it keeps its memory.
class KeyDelta {
public:
    void before(const RedisModel& model, std::string_view key, WallTime now);
    /// The key is that of before(), and so is the instant: a command takes no time.
    KeyEffect after(const RedisModel& model) const;
    /// Of every other key that is not as it was, in the order of their names.
    std::vector<event::OtherKey> others(const RedisModel& model) const;

private:
    bool was_there_ = false;
    KeyEntry was_;
    std::vector<KeyEntry> others_;
    std::int64_t now_ms_ = 0;
};

}  // namespace locklab
