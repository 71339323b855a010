// Why more had a shared lock than may. Its key tells nothing of one of them, but the faults and the
// leases do.
#pragma once

#include "harness/check/cause.h"

namespace locklab {

/// `first` was inside as `second`, one too many, was told of its grant.
Cause cause_of_crowd(const KeyLog& log, const Claim& first, const Claim& second);

}  // namespace locklab
