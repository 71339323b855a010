// The order of fencing tokens: a grant that came after another must have the higher token, or a
// resource that checks tokens refuses the rightful holder, or takes the word of one whose lock is
// over. Tokens go wrong where the server loses their counter, where two grants get the same, and
// where one is drawn before the lock is taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/check/cause.h"
#include "harness/check/key_log.h"

namespace locklab {

struct StaleToken {
    std::size_t event = 0;  ///< the Granted, by its place in the log
    std::uint64_t grant = 0;
    std::uint64_t token = 0;
    std::uint64_t before = 0;        ///< the grant before it whose token is not lower
    std::uint64_t before_token = 0;  ///< that token
    Instant at;
    ClientId client;
    Cause cause = Cause::old_token;
};

/// In the order of the log. Which grant came first is told by the commands that took the key, where
/// they ran at one server and the log is exact; else one came after another only if its try began
/// when the other had been told. After an old token the count begins anew, so that a counter that
/// is lost once is told once. Grants without a token are not looked at, nor those of a lock that
/// its holder takes a second time.
std::vector<StaleToken> stale_tokens(const KeyLog& log);

}  // namespace locklab
