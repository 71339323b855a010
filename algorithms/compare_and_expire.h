// The script that renews a key only if its value is still our token.
#pragma once

#include "harness/core/lock.h"

namespace locklab {

/// KEYS[1] the key, ARGV[1] the token, ARGV[2] the new TTL in milliseconds. 1: renewed; 0: not
/// ours.
inline constexpr Script kCompareAndExpire{
    "compare_and_expire",
    "if redis.call('get', KEYS[1]) == ARGV[1] "
    "then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end"};

}  // namespace locklab
