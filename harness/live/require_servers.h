// The error for a lock that needs more servers than there are.
#pragma once

#include <cstdint>
#include <string>

#include "harness/core/lock.h"

namespace locklab {

/// Throws std::invalid_argument with one sentence if `topology` has more than `servers`. `where`
/// says who has that many, and `right` what to do: "a benchmark has one", "run a campaign".
void require_servers(const Algorithm& lock, const Topology& topology, std::uint32_t servers,
                     const std::string& where, const std::string& right);

}  // namespace locklab
