// Article: none of the five; redis.io, "Making the algorithm more reliable: extending the lock".
// Idea:    a watchdog extends the lock at the servers; a majority must agree each time.
// Claims:  a job may take longer than the TTL.
// Breaks:  whatever stops the watchdog for longer than the TTL; a server that forgets the key.
#include "algorithms/algorithms.h"
#include "algorithms/redlock_forms.h"

namespace locklab {

std::unique_ptr<Lock> make_redlock_extending(Client& client, const Key& key,
                                             const LockOptions& options) {
    return std::make_unique<Redlock>(client, key, options, RedlockForm{.extends = true});
}

}  // namespace locklab
