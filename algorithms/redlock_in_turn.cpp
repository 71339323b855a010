// Article: none of the five; redis.io, "Distributed Locks with Redis", the Redlock algorithm.
// Idea:    the page's own order: one server after the other, and all of them asked.
// Claims:  as redlock.
// Breaks:  as redlock; each server that is slow takes some of the lease.
#include "algorithms/algorithms.h"
#include "algorithms/redlock_forms.h"

namespace locklab {

std::unique_ptr<Lock> make_redlock_in_turn(Client& client, const Key& key,
                                           const LockOptions& options) {
    return std::make_unique<Redlock>(client, key, options, RedlockForm{.in_turn = true});
}

}  // namespace locklab
