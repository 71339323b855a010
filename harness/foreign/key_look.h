// The lock's key on the server itself, looked at before and after each command of a play, and what
// the command did to it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/command.h"
#include "harness/core/time.h"
#include "harness/live/sync_connection.h"
#include "harness/store/redis/keyspace.h"

namespace locklab {

struct KeyLook {
    /// Nothing: there is no key. Of a hash "field: value", several joined by ", ".
    std::optional<std::string> value;
    bool is_hash = false;
    /// There is a key, of a kind that no model has (a list, a set): no value is told of it.
    bool is_untold = false;
    std::optional<Duration> ttl;  ///< nothing: it never expires, or there is no key

    /// Two looks are so far apart, at most, where the machine keeps up.
    static constexpr Duration kApart = std::chrono::milliseconds(3);

    /// Of the second look, after a command.
    KeyEffect after(const KeyLook& before, Duration apart = kApart) const;
};

/// What this command did, between two looks; uncertain if one of them was untold. `apart`: zero
/// where no time passed in between.
KeyEffect effect_of(const Command& command, const KeyLook& before, const KeyLook& after,
                    Duration apart = KeyLook::kApart);

struct StoredKey {
    KeyValue value;
    std::optional<Duration> ttl{};  ///< nothing: it never expires
};

/// The key, by what `ask` says of it. Nothing: there is none, or one of a kind that no model has.
std::optional<StoredKey> stored_at(const std::string& key,
                                   const std::function<Reply(const Command&)>& ask);
/// The same as words.
KeyLook look_at(const std::string& key, const std::function<Reply(const Command&)>& ask);

struct Eviction {
    bool took_any = false;  ///< else there was no lock to be taken away, or no server
    Duration within{0};     ///< what was there is gone since at most so long
};

/// Takes the lock's key away, in whatever database it is. Where none is called so, those that may
/// be meant by it: whose name contains it, and that have a TTL.
Eviction evict_lock(const std::string& key, const std::function<Reply(const Command&)>& ask);

/// What this command did to each of several keys.
std::vector<KeyEffect> effects_of(const Command& command, const std::vector<KeyLook>& before,
                                  const std::vector<KeyLook>& after,
                                  Duration apart = KeyLook::kApart);

/// Looks at one key, or another, over a connection of its own, which is opened again where it
/// broke.
class KeyWatch {
public:
    KeyWatch(Endpoint server, std::string key) : server_(std::move(server)), key_(std::move(key)) {}

    /// No key where the server does not answer.
    KeyLook look() { return look(key_); }
    KeyLook look(const std::string& key);
    void remove();
    void remove(const std::string& key);
    /// As evict_lock() does.
    void evict();
    /// The server has no keys at all; scripts stay.
    void remove_all();

private:
    Reply ask(const Command& command);

    const Endpoint server_;
    const std::string key_;
    std::unique_ptr<SyncConnection> connection_;
};

}  // namespace locklab
