// Removes a lock's key from a server, as a server that lacks memory does.
#pragma once

#include <functional>
#include <string>

#include "harness/core/command.h"
#include "harness/core/reply.h"
#include "harness/core/time.h"

namespace locklab {

struct Eviction {
    bool took_any = false;  ///< false: there was no lock to remove, or no server
    Duration within{0};     ///< upper bound on the time since the removal
};

/// Removes the lock's key, in any database. If no key has this name, removes the keys that may be
/// meant: those that contain the name and have a TTL.
Eviction evict_lock(const std::string& key, const std::function<Reply(const Command&)>& ask);

}  // namespace locklab
