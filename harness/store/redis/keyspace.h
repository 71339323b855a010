// The keys of one Redis database, ordered by name. Runs here have few keys, so they lie in one
// array: a look-up is a short search, a snapshot is one copy.
//
// Invariants: 1. Names are sorted and unique. 2. No hash is empty. 3. A key whose deadline has
// passed stays until a command looks it up or expire() is called, as in Redis.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/store/redis/session.h"

namespace locklab {

/// The deadline of a key that never expires. No command can set it, since it is before any now.
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

struct HashField {
    std::string name;
    std::string value;
    bool operator==(const HashField&) const = default;
};

/// Fields in the order of insertion, which is the order that Redis returns for a small hash (see
/// hash-max-listpack-entries and -value in redis.conf).
class HashValue {
public:
    std::string* find(std::string_view name);
    /// True if the field is new.
    bool set(std::string_view name, std::string_view value);
    bool erase(std::string_view name);
    std::span<const HashField> fields() const { return fields_; }
    bool operator==(const HashValue&) const = default;

private:
    std::vector<HashField> fields_;
};

using KeyValue = std::variant<std::string, HashValue>;

struct KeyEntry {
    std::string name;
    KeyValue value;
    /// Unix time in ms; the key expires strictly after it.
    std::int64_t deadline_ms = kNever;
    /// Number of the write that last set the value, over all keys. Not part of the data.
    std::uint64_t write = 0;

    bool has_deadline() const { return deadline_ms != kNever; }
    bool expired(std::int64_t now_ms) const { return has_deadline() && now_ms > deadline_ms; }
    bool operator==(const KeyEntry& other) const {
        return name == other.name && value == other.value && deadline_ms == other.deadline_ms;
    }
};

class Keyspace {
public:
    /// The live key, or null; removes a key that has expired. Valid until the next change.
    KeyEntry* find(std::string_view name, std::int64_t now_ms) {
        const std::size_t at = position(name);
        if (at == entries_.size() || entries_[at].name != name) return nullptr;
        if (entries_[at].expired(now_ms)) {
            remove(at);
            return nullptr;
        }
        return &entries_[at];
    }

    /// The key as it is stored, even after its deadline, or null.
    const KeyEntry* stored(std::string_view name) const {
        const std::size_t at = position(name);
        return at < entries_.size() && entries_[at].name == name ? &entries_[at] : nullptr;
    }

    /// Adds a key, which must not exist.
    KeyEntry& add(std::string_view name, KeyValue value);
    /// Call when the value of an existing key is written, even if it stays the same.
    void wrote(KeyEntry& entry) {
        entry.write = ++writes_;
        touch(entry);
    }
    /// Call when a field or the deadline of an existing key is set, even if it stays the same.
    void touch(const KeyEntry& entry) {
        if (!sessions_.empty()) sessions_.touch(entry.name, false);
    }
    bool erase(std::string_view name);
    void clear();
    /// Removes every key whose deadline has passed.
    void expire(std::int64_t now_ms);

    std::span<const KeyEntry> entries() const { return entries_; }
    /// What connections watch, and have not run yet.
    Sessions& sessions() { return sessions_; }
    const Sessions& sessions() const { return sessions_; }
    bool operator==(const Keyspace& other) const {
        return entries_ == other.entries_ && sessions_ == other.sessions_;
    }

private:
    std::size_t position(std::string_view name) const {
        std::size_t at = 0;
        while (at < entries_.size() && std::string_view(entries_[at].name) < name) ++at;
        return at;
    }
    void remove(std::size_t at) {
        const std::string name = std::move(entries_[at].name);
        entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(at));
        if (!sessions_.empty()) sessions_.touch(name, true);
    }

    std::vector<KeyEntry> entries_;
    std::uint64_t writes_ = 0;  ///< not part of the data
    Sessions sessions_;
};

}  // namespace locklab
