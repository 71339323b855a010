// Observes the lock's key on the server before and after each command of a play, to see what the
// command did to it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/command.h"
#include "harness/core/time.h"
#include "harness/live/eviction.h"
#include "harness/live/sync_connection.h"
#include "harness/store/redis/keyspace.h"

namespace locklab {

struct KeyLook {
    /// Nothing: there is no key. A hash field is "field: value"; several are joined by ", ".
    std::optional<std::string> value;
    bool is_hash = false;
    /// The key has a type that the model lacks (a list, a set): its value is not told.
    bool is_untold = false;
    std::optional<Duration> ttl;  ///< nothing: it never expires, or there is no key

    /// Longest time between two looks on a machine that keeps up.
    static constexpr Duration kApart = std::chrono::milliseconds(3);

    /// What happened to the key between the look `before` and this one, which came after a command.
    KeyEffect after(const KeyLook& before, Duration apart = kApart) const;
};

/// Effect of the command, from a look before and one after; uncertain if one was untold. `apart`:
/// zero if no time passed in between.
KeyEffect effect_of(const Command& command, const KeyLook& before, const KeyLook& after,
                    Duration apart = KeyLook::kApart);

struct StoredKey {
    KeyValue value;
    std::optional<Duration> ttl{};  ///< nothing: it never expires
};

/// The key according to the server behind `ask`. Nothing: there is none, or its type is not in the
/// model.
std::optional<StoredKey> stored_at(const std::string& key,
                                   const std::function<Reply(const Command&)>& ask);
/// The same as text.
KeyLook look_at(const std::string& key, const std::function<Reply(const Command&)>& ask);

/// All keys in the first database of this server, which is up. Types that the model lacks (set,
/// list) are left out.
std::vector<KeyEntry> keys_at(const Endpoint& server);

/// Effects of the command on each of several keys.
std::vector<KeyEffect> effects_of(const Command& command, const std::vector<KeyLook>& before,
                                  const std::vector<KeyLook>& after,
                                  Duration apart = KeyLook::kApart);

/// Looks at keys over a connection of its own, which it opens again if it broke.
class KeyWatch {
public:
    KeyWatch(Endpoint server, std::string key) : server_(std::move(server)), key_(std::move(key)) {}

    /// Reports no key if the server does not answer.
    KeyLook look() { return look(key_); }
    KeyLook look(const std::string& key);
    void remove();
    void remove(const std::string& key);
    /// The key of the lock is the one that is watched.
    std::vector<std::string> keys_to_evict();
    /// As evict_named() does; without a name, the lock's own.
    void evict(const std::string& told = {});
    /// Removes all keys of the server; scripts stay.
    void remove_all();

private:
    Reply ask(const Command& command);

    const Endpoint server_;
    const std::string key_;
    std::unique_ptr<SyncConnection> connection_;
};

}  // namespace locklab
