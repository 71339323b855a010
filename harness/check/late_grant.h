// Grants that came when what they rest on was over: the key had run out before its client was told,
// at each server where it had one, and nobody had renewed it. Its client begins to work without a
// lock, unless it looks how long it waited.
//
// Of a key that never expires, and whose lock promises a lease, that lease counts. So does what the
// lock says itself: a grant of which nothing is left is late.
#pragma once

#include <cstdint>

#include "harness/check/key_log.h"

namespace locklab {

struct LateGrants {
    std::uint64_t found = 0;
    std::uint64_t of = 0;  ///< grants of which it is known when that is over
    Duration longest{0};   ///< from the end of the validity to the grant

    void add(const LateGrants& other);
};

/// Redis counts deadlines in milliseconds: up to one is no lateness.
LateGrants late_grants(const KeyLog& log);

}  // namespace locklab
