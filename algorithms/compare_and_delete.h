// The release that 001 prints: delete the key only if it still holds this token.
#pragma once

#include "harness/core/lock.h"

namespace locklab {

inline constexpr Script kCompareAndDelete{
    "compare_and_delete",
    "if redis.call('get', KEYS[1]) == ARGV[1] "
    "then return redis.call('del', KEYS[1]) else return 0 end"};

}  // namespace locklab
