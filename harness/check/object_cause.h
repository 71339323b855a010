// Whether two were inside at once because they are tasks of one client, and its lock object took
// one for the other.
#pragma once

#include "harness/check/cause.h"

namespace locklab {

/// `by`, whose command was let through, showed the token under which `holder` had the key.
Cause cause_of_one_token(const KeyLog& log, ClientId holder, ClientId by);

/// One of the two grants, or both, rested on no key.
Cause cause_without_key(const KeyLog& log, const Claim& first, const Claim& second);

}  // namespace locklab
