// Article: none of the five; Redlock without its last step, as many ports have it.
// Idea:    a majority is the lock, however long the replies took.
// Claims:  as redlock.
// Breaks:  a reply that comes after the lease is over, and a pause while the replies come.
#include "algorithms/algorithms.h"
#include "algorithms/redlock_forms.h"

namespace locklab {

std::unique_ptr<Lock> make_redlock_unchecked(Client& client, const Key& key,
                                             const LockOptions& options) {
    return std::make_unique<Redlock>(client, key, options, RedlockForm{.checks_time = false});
}

}  // namespace locklab
