// What the clocks of a client and of a server may differ by while a lease goes on.
// Source: redis.io, "Distributed Locks with Redis", the validity of a lock; 2 ms stand for expiry,
// which is counted in milliseconds.
#pragma once

#include "harness/core/time.h"

namespace locklab {

/// A careful client takes it off the lease that it counts by its own clock.
constexpr Duration drift_over(Duration lease) { return lease / 100 + std::chrono::milliseconds(2); }

}  // namespace locklab
