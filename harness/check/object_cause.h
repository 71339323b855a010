// Whether two clients were inside at once because they are tasks of one process, whose lock object
// took one for the other.
#pragma once

#include <optional>

#include "harness/check/cause.h"

namespace locklab {

/// The cause if `change`, which deleted the claim's key, showed its token, and the sender's own
/// round may have had the same token, or a task of the same object showed it. Nothing if the sender
/// knew the token otherwise: it had read it, or a lock object had a newer one by then.
std::optional<Cause> cause_of_shown_token(const KeyLog& log, const Claim& claim,
                                          const KeyChange& change);

/// `by`, whose command passed the check, showed the token under which `holder` had the key.
Cause cause_of_one_token(const KeyLog& log, ClientId holder, ClientId by);

/// One of the two grants, or both, rested on no key.
Cause cause_without_key(const KeyLog& log, const Claim& first, const Claim& second);

}  // namespace locklab
