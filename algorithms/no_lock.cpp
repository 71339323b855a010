// Article: none; the canary of every table.
// Idea:    grant every request.
// Claims:  nothing.
// Breaks:  at once, under contention alone. A checker that does not catch it is broken.
#include "algorithms/algorithms.h"

namespace locklab {

namespace {

class NoLock final : public Lock {
public:
    Task<Acquired> try_acquire() override { co_return Grant{}; }
    Task<Release> release() override { co_return Release::yes; }
};

}  // namespace

std::unique_ptr<Lock> make_no_lock(Client&, const Key&, const LockOptions&) {
    return std::make_unique<NoLock>();
}

}  // namespace locklab
