#include "harness/store/redis/key_delta.h"

#include <algorithm>

#include "harness/store/redis/redis_call.h"
#include "harness/store/redis/redis_text.h"

namespace locklab {

namespace {

using Kind = KeyEffect::Kind;

/// Three centuries: sums of a few such times cannot overflow.
constexpr std::int64_t kLongestTtlMs = 10'000'000'000'000;

const KeyEntry* live(const RedisModel& model, std::string_view key, std::int64_t now_ms) {
    const KeyEntry* const entry = model.keys().stored(key);
    return entry != nullptr && !entry->expired(now_ms) ? entry : nullptr;
}

/// One more hold, or one less, of the same holder.
bool is_counted(const std::string& before, const std::string& after) {
    const auto from = whole_number(before);
    const auto to = whole_number(after);
    return from && to && (*to == *from + 1 || *to == *from - 1);
}

/// Whether the value is still that of the same holder: unwritten, or a hash of the same fields of
/// which at most counts are others.
bool is_same_holders(const KeyEntry& before, const KeyEntry& after) {
    const auto* was = std::get_if<HashValue>(&before.value);
    const auto* is = std::get_if<HashValue>(&after.value);
    if (was == nullptr || is == nullptr) return before.write == after.write;
    if (was->fields().size() != is->fields().size()) return false;
    for (std::size_t i = 0; i < was->fields().size(); ++i) {
        const HashField& from = was->fields()[i];
        const HashField& to = is->fields()[i];
        if (from.name != to.name) return false;
        if (from.value != to.value && !is_counted(from.value, to.value)) return false;
    }
    return true;
}

}  // namespace

void KeyDelta::before(const RedisModel& model, std::string_view key, WallTime now) {
    now_ms_ = milliseconds(now);
    const KeyEntry* const entry = live(model, key, now_ms_);
    was_there_ = entry != nullptr;
    if (was_there_) {
        was_ = *entry;
    } else {
        was_.name.assign(key);
    }
}

KeyEffect KeyDelta::after(const RedisModel& model) const {
    const KeyEntry* const is = live(model, was_.name, now_ms_);
    if (is == nullptr) return {was_there_ ? Kind::deleted : Kind::none, Duration::zero()};
    Duration ttl{0};
    if (is->has_deadline()) {
        // A key still lives in the millisecond of its deadline.
        const std::int64_t left = std::max(is->deadline_ms - now_ms_, std::int64_t{1});
        ttl = std::chrono::milliseconds(std::min(left, kLongestTtlMs));
    }
    if (!was_there_) return {Kind::created, ttl};
    if (!is_same_holders(was_, *is)) return {Kind::replaced, ttl};
    const bool unchanged = was_.value == is->value && was_.deadline_ms == is->deadline_ms;
    if (unchanged) return {};
    return {Kind::extended, ttl};
}

}  // namespace locklab
