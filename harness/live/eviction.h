// A server that has too little memory takes a key away, as its administrator may.
#pragma once

#include <functional>
#include <string>

#include "harness/core/command.h"
#include "harness/core/reply.h"
#include "harness/core/time.h"

namespace locklab {

struct Eviction {
    bool took_any = false;  ///< else there was no lock to be taken away, or no server
    Duration within{0};     ///< what was there is gone since at most so long
};

/// Takes the lock's key away, in whatever database it is. Where none is called so, those that may
/// be meant by it: whose name contains it, and that have a TTL.
Eviction evict_lock(const std::string& key, const std::function<Reply(const Command&)>& ask);

}  // namespace locklab
