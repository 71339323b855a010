// The script with which a job writes into a resource that is in the lock's own Redis, as far as the
// lock is concerned (RunShape::guards_writes): whether the lock's key holds the job's token, which
// may also be a field of a hash.
#pragma once

#include "harness/core/command.h"

namespace locklab {

inline constexpr Script kHoldsToken{
    "holds_token",
    "local type = redis.call('type', KEYS[1]).ok "
    "if type == 'string' and redis.call('get', KEYS[1]) == ARGV[1] then return 1 end "
    "if type == 'hash' then return redis.call('hexists', KEYS[1], ARGV[1]) end "
    "return 0"};

}  // namespace locklab
