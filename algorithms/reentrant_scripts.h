// The three scripts of reentrant_watchdog, after Redisson's RLock. KEYS[1] is a hash from holder
// to count; ARGV[1] the TTL in milliseconds, ARGV[2] the holder.
#pragma once

#include "harness/core/lock.h"

namespace locklab {

/// nil: held by us now; else the time to live of another's lock, in milliseconds.
inline constexpr Script kReentrantLock{
    "reentrant_lock",
    "if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then "
    "redis.call('hincrby', KEYS[1], ARGV[2], 1) "
    "redis.call('pexpire', KEYS[1], ARGV[1]) "
    "return nil end "
    "return redis.call('pttl', KEYS[1])"};

/// 1: freed; 0: still held, once less; nil: not ours. PUBLISH tells waiting clients.
inline constexpr Script kReentrantUnlock{
    "reentrant_unlock",
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end "
    "local count = redis.call('hincrby', KEYS[1], ARGV[2], -1) "
    "if count > 0 then redis.call('pexpire', KEYS[1], ARGV[1]) return 0 end "
    "redis.call('del', KEYS[1]) "
    "redis.call('publish', KEYS[1] .. ':channel', '0') "
    "return 1"};

/// 1: ours, and renewed; 0: not ours.
inline constexpr Script kReentrantRenew{
    "reentrant_renew",
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 1 "
    "then return redis.call('pexpire', KEYS[1], ARGV[1]) else return 0 end"};

}  // namespace locklab
