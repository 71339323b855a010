#include "harness/store/redis/keyspace.h"

#include <algorithm>

#include "harness/core/assert.h"

namespace locklab {

std::string* HashValue::find(std::string_view name) {
    const auto found = std::ranges::find(fields_, name, &HashField::name);
    return found == fields_.end() ? nullptr : &found->value;
}

bool HashValue::set(std::string_view name, std::string_view value) {
    if (std::string* old = find(name)) {
        old->assign(value);
        return false;
    }
    fields_.push_back({std::string(name), std::string(value)});
    return true;
}

bool HashValue::erase(std::string_view name) {
    const auto found = std::ranges::find(fields_, name, &HashField::name);
    if (found == fields_.end()) return false;
    fields_.erase(found);
    return true;
}

KeyEntry& Keyspace::add(std::string_view name, KeyValue value) {
    const std::size_t at = position(name);
    LOCKLAB_ASSERT(at == entries_.size() || entries_[at].name != name);
    const auto place = entries_.begin() + static_cast<std::ptrdiff_t>(at);
    KeyEntry& added =
        *entries_.insert(place, KeyEntry{std::string(name), std::move(value), kNever, ++writes_});
    touch(added);
    return added;
}

bool Keyspace::erase(std::string_view name) {
    const std::size_t at = position(name);
    if (at == entries_.size() || entries_[at].name != name) return false;
    remove(at);
    return true;
}

void Keyspace::clear() {
    while (!entries_.empty()) remove(entries_.size() - 1);
}

void Keyspace::expire(std::int64_t now_ms) {
    for (std::size_t at = entries_.size(); at-- > 0;) {
        if (entries_[at].expired(now_ms)) remove(at);
    }
}

}  // namespace locklab
