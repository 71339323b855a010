#include "harness/store/redis/key_delta.h"

#include <algorithm>

#include "harness/store/redis/redis_call.h"
#include "harness/store/redis/redis_text.h"

namespace locklab {

namespace {

using Kind = KeyEffect::Kind;

/// Three centuries: sums of a few such times do not overflow.
constexpr std::int64_t kLongestTtlMs = 10'000'000'000'000;

const KeyEntry* live(const RedisModel& model, std::string_view key, std::int64_t now_ms) {
    const KeyEntry* const entry = model.keys().stored(key);
    return entry != nullptr && !entry->expired(now_ms) ? entry : nullptr;
}

/// Whether the same holder has one hold more, or one less.
bool is_counted(const std::string& before, const std::string& after) {
    const auto from = whole_number(before);
    const auto to = whole_number(after);
    return from && to && (*to == *from + 1 || *to == *from - 1);
}

/// Whether the value is still that of the same holders: not written, or a hash with the same
/// fields, of which only counts differ.
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

/// Null: there is no key.
KeyEffect effect_between(const KeyEntry* was, const KeyEntry* is, std::int64_t now_ms) {
    if (is == nullptr) return {was != nullptr ? Kind::deleted : Kind::none, Duration::zero()};
    Duration ttl{0};
    if (is->has_deadline()) {
        // A key still lives in the millisecond of its deadline.
        const std::int64_t left = std::max(is->deadline_ms - now_ms, std::int64_t{1});
        ttl = std::chrono::milliseconds(std::min(left, kLongestTtlMs));
    }
    if (was == nullptr) return {Kind::created, ttl};
    if (!is_same_holders(*was, *is)) return {Kind::replaced, ttl};
    const bool unchanged = was->value == is->value && was->deadline_ms == is->deadline_ms;
    if (unchanged) return {};
    return {Kind::extended, ttl};
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
    others_.clear();
    for (const KeyEntry& other : model.keys().entries()) {
        const bool is_there = other.name != key && !other.expired(now_ms_);
        if (is_there) others_.push_back(other);
    }
}

KeyEffect KeyDelta::after(const RedisModel& model) const {
    return effect_between(was_there_ ? &was_ : nullptr, live(model, was_.name, now_ms_), now_ms_);
}

std::vector<event::OtherKey> KeyDelta::others(const RedisModel& model) const {
    std::vector<event::OtherKey> found;
    const auto add = [&](const KeyEntry* was, const KeyEntry* is) {
        const KeyEffect effect = effect_between(was, is, now_ms_);
        const std::string& name = was != nullptr ? was->name : is->name;
        if (effect.kind != Kind::none) found.push_back({name, effect});
    };
    // Both lists are in the order of their names.
    auto was = others_.begin();
    for (const KeyEntry& is : model.keys().entries()) {
        if (is.name == was_.name || is.expired(now_ms_)) continue;
        for (; was != others_.end() && was->name < is.name; ++was) add(&*was, nullptr);
        const bool was_there = was != others_.end() && was->name == is.name;
        add(was_there ? &*was : nullptr, &is);
        if (was_there) ++was;
    }
    for (; was != others_.end(); ++was) add(&*was, nullptr);
    return found;
}

}  // namespace locklab
