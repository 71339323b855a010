// Article: none of the five; Redlock with the clock that most ports read (Ruby's Time.now).
// Idea:    the time of a try is measured by a clock that can be set while it runs.
// Claims:  as redlock.
// Breaks:  as redlock; and a clock that is set back during the try.
#include "algorithms/algorithms.h"
#include "algorithms/redlock_forms.h"

namespace locklab {

std::unique_ptr<Lock> make_redlock_wall_clock(Client& client, const Key& key,
                                              const LockOptions& options) {
    return std::make_unique<Redlock>(client, key, options, RedlockForm{.by_wall_clock = true});
}

}  // namespace locklab
