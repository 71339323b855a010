// What came of servers that hung in runs and plays of driver processes.
#pragma once

#include <cstdint>
#include <string>

#include "harness/core/history.h"
#include "harness/core/time.h"

namespace locklab {

struct Hangs {
    std::uint64_t count = 0;
    std::uint64_t gone_on = 0;  ///< in the second half of which somebody was granted the lock
    Duration longest_wait{0};   ///< in one of them, until the next grant

    void add(const Hangs& other);
};

Hangs hangs_in(const History& history);

/// A line; empty: none hung.
std::string to_text(const Hangs& hangs);

}  // namespace locklab
