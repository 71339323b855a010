// The order of fencing tokens: who takes the lock after another was told of its grant must get the
// higher token, or a resource that checks tokens refuses the rightful holder, or takes the word of
// one whose lock is over. Tokens go wrong where the server loses their counter, where two grants
// get the same, and where one is drawn before the lock is taken. Where the first was told only
// after the second took the lock, the first shows its token late, and nothing is said of the two:
// if both are inside, that is an overlap.
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

/// In the order of the log. A grant is taken when the command ran that made or overwrote the key,
/// where that is at one server and the log is exact; else as its try sent its first command. After
/// an old token the count begins anew, so that a counter that is lost once is told once. Grants
/// without a token are not looked at, nor those of a lock that its holder takes a second time, nor
/// those that share it: they do not write.
std::vector<StaleToken> stale_tokens(const KeyLog& log);

}  // namespace locklab
