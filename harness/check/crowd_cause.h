// Why a shared lock had more holders than permitted. Its key does not show single holders, so the
// cause is inferred from faults and leases.
#pragma once

#include "harness/check/cause.h"

namespace locklab {

/// `first` was inside when `second`, one too many, was told of its grant.
Cause cause_of_crowd(const KeyLog& log, const Claim& first, const Claim& second);

}  // namespace locklab
