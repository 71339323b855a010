// Grants that came after their validity was over: the key had expired before its client was told,
// at each server where it had one, and was not renewed. The client begins to work without a lock,
// unless it checks how long it waited.
//
// For a key that never expires, the lease that its lock promises counts. So does the lock's own
// word: a grant with nothing left of its lease is late.
#pragma once

#include <cstdint>

#include "harness/check/key_log.h"

namespace locklab {

struct LateGrants {
    std::uint64_t found = 0;
    std::uint64_t of = 0;  ///< grants whose validity is known
    Duration longest{0};   ///< from the end of the validity to the grant

    void add(const LateGrants& other);
};

/// Redis counts deadlines in milliseconds, so up to one is not late.
LateGrants late_grants(const KeyLog& log);

}  // namespace locklab
