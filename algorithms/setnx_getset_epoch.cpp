// Article: 002, the Python code (LOCK_TIMEOUT = 3, lock.foo).
// Idea:    setnx_getset_objects in whole seconds, with one reading of the clock for each try:
//          deadline = now + timeout + 1.
// Claims:  as setnx_getset_objects; a loser's GETSET moves the winner's deadline, which is said
//          to have no effect.
// Breaks:  clocks that differ; a holder that outlives its deadline; a DEL that comes late.
#include "algorithms/algorithms.h"
#include "algorithms/deadline.h"

namespace locklab {

namespace {

class SetnxGetsetEpoch final : public Lock {
public:
    SetnxGetsetEpoch(Client& client, Key key, const LockOptions& options)
        : client_(client),
          key_(std::move(key)),
          clock_(client, options.clock_unit),
          timeout_(clock_.units(options.ttl)) {}

    Task<Acquired> try_acquire() override {
        const std::int64_t now = clock_.now();
        lock_timeout_ = now + timeout_ + 1;
        lease_ = clock_.until_past(lock_timeout_);
        const Reply lock = co_await client_.command("SETNX", key_, lock_timeout_);
        if (lock.failed()) co_return Failed{lock};
        if (lock.is_integer(1)) co_return granted();

        const Reply held = co_await client_.command("GET", key_);
        if (held.failed()) co_return Failed{held};
        // int(None) raises if the holder has just deleted the key: the try has failed.
        if (!held.is_bulk() || now <= deadline_in(held)) co_return Refused{};

        const Reply old = co_await client_.command("GETSET", key_, lock_timeout_);
        if (old.failed()) co_return Failed{old};
        // Here too int(None) raises; but now the key has our deadline, and no holder.
        if (!old.is_bulk() || now <= deadline_in(old)) co_return Refused{};
        co_return granted();
    }

    Task<Release> release() override {
        if (clock_.now() >= lock_timeout_) co_return Release::not_ours;
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Grant granted() const { return {Token{std::to_string(lock_timeout_)}, lease_}; }

    Client& client_;
    const Key key_;
    const UnitClock clock_;
    const std::int64_t timeout_;
    std::int64_t lock_timeout_ = 0;
    Duration lease_{0};  ///< until the deadline, from when that was computed
};

}  // namespace

std::unique_ptr<Lock> make_setnx_getset_epoch(Client& client, const Key& key,
                                              const LockOptions& options) {
    return std::make_unique<SetnxGetsetEpoch>(client, key, options);
}

}  // namespace locklab
