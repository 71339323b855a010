// Removes a key from a server, as a server that lacks memory does, or all keys.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/command.h"
#include "harness/core/reply.h"
#include "harness/core/time.h"

namespace locklab {

using AskServer = std::function<Reply(const Command&)>;

struct Eviction {
    std::optional<std::string> key;  ///< that is gone; nothing: there was none, or no server
    bool is_lock = false;            ///< it is the lock's own
    Duration within{0};              ///< upper bound on the time since the removal

    /// Its name in histories, where the lock's own has none.
    std::string told() const { return is_lock ? std::string() : key.value_or(""); }
};

/// Which key is removed, of those that are there in alphabetical order: a quantile.
struct EvictionDraw {
    std::uint32_t quantile = 0;  ///< below kQuantiles
};

/// Removes one of a server's keys, in any database. The lock's own is that of this name; if there
/// is none of that name, those that contain it and have a TTL may be meant.
Eviction evict_any(const std::string& lock, EvictionDraw draw, const AskServer& ask);

/// Removes one key of a run from a server that others use too: its name contains that of the run's
/// lock, and goes on with no digit, since then it is another run's. Only in the first database.
Eviction evict_of_run(const std::string& lock, EvictionDraw draw, const AskServer& ask);

/// Removes all keys of a server, in every database. Returns an upper bound on the time since then;
/// nothing: there was no key.
std::optional<Duration> flush_all(const AskServer& ask);
/// Removes all keys of a run, as evict_of_run() knows them, from a server that others use too. What
/// comes there meanwhile may stay.
std::optional<Duration> flush_of_run(const std::string& lock, const AskServer& ask);

/// The keys that a server can lose, as Eviction::told() names them: first the lock's own, if it is
/// there, then the others in alphabetical order.
std::vector<std::string> keys_to_evict(const std::string& lock, const AskServer& ask);
/// Removes one of these.
void evict_named(const std::string& told, const std::string& lock, const AskServer& ask);

/// Removes the lock's key, in any database. If no key has this name, removes the keys that may be
/// meant. False: there is none.
bool evict_lock(const std::string& lock, const AskServer& ask);

}  // namespace locklab
