// The order of fencing tokens. A client that takes the lock after another was told of its grant
// must get the higher token; else a resource that checks tokens refuses the rightful holder, or
// accepts writes of one whose lock is over. Tokens go wrong if the server loses their counter, if
// two grants get the same, or if one is drawn before the lock is taken. If the first client was
// told only after the second took the lock, the first shows its token late, and the two are not
// compared: if both are inside, that is an overlap.
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
    std::uint64_t before = 0;        ///< an earlier grant whose token is not lower
    std::uint64_t before_token = 0;  ///< the token of that grant
    Instant at;
    ClientId client;
    Cause cause = Cause::old_token;
};

/// In the order of the log. A grant counts as taken when the command ran that created or overwrote
/// the key, if that is at one server and the log is exact; else when its try sent its first
/// command. After an old token the comparison starts again, so that one loss of a counter is
/// reported once. Not judged: grants without a token, second grants of a reentrant lock, and grants
/// that share the lock, since they do not write.
std::vector<StaleToken> stale_tokens(const KeyLog& log);

}  // namespace locklab
