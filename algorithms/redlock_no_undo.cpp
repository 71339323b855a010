// Article: none of the five; Redlock without its undo.
// Idea:    a try that failed leaves what it has set, until it expires.
// Claims:  as redlock.
// Breaks:  as redlock; and where no client got a majority, all wait until keys expire.
#include "algorithms/algorithms.h"
#include "algorithms/redlock_forms.h"

namespace locklab {

std::unique_ptr<Lock> make_redlock_no_undo(Client& client, const Key& key,
                                           const LockOptions& options) {
    return std::make_unique<Redlock>(client, key, options, RedlockForm{.undoes = false});
}

}  // namespace locklab
