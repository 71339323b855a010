// Which command removed or replaced the value that a grant rests on, and why it could.
#pragma once

#include "harness/check/cause.h"
#include "harness/check/key_log.h"

namespace locklab {

/// How the claim ended between two places in the log of keys: `begin` is what it rests on, `end` is
/// what another client took in the same key.
Cause cause_along(const KeyLog& log, const Claim& claim, std::size_t begin, std::size_t end);

}  // namespace locklab
