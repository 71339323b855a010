// Article: 000, the Ruby code of redis-objects (Locking), up to 1.4.1.
// Idea:    the value is a deadline; a client that finds it past swaps in a new one with GETSET,
//          and has the lock if the old value was past too. The gem's generate_expiration, which the
//          article does not print, is now + expiration + 1 s: the TTL here is that sum.
// Claims:  of several clients that saw the deadline past, only one gets the lock; a late
//          holder does not delete its successor's key.
// Breaks:  clocks that differ; a holder that outlives its deadline; a DEL that comes late.
#include "algorithms/algorithms.h"
#include "algorithms/deadline.h"

namespace locklab {

namespace {

class SetnxGetsetObjects final : public Lock {
public:
    SetnxGetsetObjects(Client& client, Key key, const LockOptions& options)
        : client_(client),
          key_(std::move(key)),
          clock_(client, options.clock_unit),
          timeout_(clock_.units(options.ttl)) {}

    Task<Acquired> try_acquire() override {
        generate_expiration();
        const Reply created = co_await client_.command("SETNX", key_, expiration_);
        if (created.failed()) co_return Failed{created};
        if (created.is_integer(1)) co_return granted();

        // "Lock is being held. Now check to see if it's expired."
        const Reply held = co_await client_.command("GET", key_);
        if (held.failed()) co_return Failed{held};
        if (deadline_in(held) >= clock_.now()) co_return Refused{};

        // "If it's expired, use GETSET to update it." A nil becomes 0.0, which is past.
        generate_expiration();
        const Reply old = co_await client_.command("GETSET", key_, expiration_);
        if (old.failed()) co_return Failed{old};
        if (deadline_in(old) >= clock_.now()) co_return Refused{};
        co_return granted();
    }

    Task<Release> release() override {
        // "Only delete it if it hasn't expired."
        if (expiration_ <= clock_.now()) co_return Release::not_ours;
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    void generate_expiration() {
        expiration_ = clock_.now() + timeout_;
        lease_ = clock_.until_past(expiration_);
    }
    Grant granted() const { return {Token{std::to_string(expiration_)}, lease_}; }

    Client& client_;
    const Key key_;
    const UnitClock clock_;
    const std::int64_t timeout_;
    std::int64_t expiration_ = 0;
    Duration lease_{0};  ///< until the deadline, from when that was computed
};

}  // namespace

std::unique_ptr<Lock> make_setnx_getset_objects(Client& client, const Key& key,
                                                const LockOptions& options) {
    return std::make_unique<SetnxGetsetObjects>(client, key, options);
}

}  // namespace locklab
