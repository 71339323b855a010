// Article: 001's wish list (re-entrant, and waits), as Redisson's RLock does it; 004 names it.
// Idea:    the key is a hash from holder to count. Scripts count up, count down and
//          delete at 0; a watchdog renews every TTL / 3; a refusal says how long to wait.
// Claims:  re-entrant; a job may take longer than the TTL; only the holder renews and releases.
// Breaks:  as watchdog_owned; and a late unlock undoes its client's next lock, since both have
//          the same holder. An inner unlock that the client library sends again counts down
//          twice, and frees the lock while it is held. A lost answer leaves the count one too
//          high: others wait until its client stays away for a TTL.
#include "algorithms/algorithms.h"
#include "algorithms/reentrant_scripts.h"

namespace locklab {

namespace {

class ReentrantWatchdog final : public Lock {
public:
    ReentrantWatchdog(Client& client, Key key, const LockOptions& options)
        : client_(client),
          key_(std::move(key)),
          ttl_(options.ttl),
          renewal_(options.renewal),
          holder_(client.fresh_token()) {}

    Task<Acquired> try_acquire() override {
        const Reply pttl = co_await client_.eval(kReentrantLock, key_, milliseconds(), holder_);
        if (pttl.failed()) co_return Failed{pttl};
        if (!pttl.is_nil()) co_return Refused{};
        if (++holds_ == 1) watchdog_ = client_.spawn(renew());
        co_return Grant{holder_, ttl_};
    }

    Task<Release> release() override {
        if (holds_ > 0 && --holds_ == 0) client_.cancel(watchdog_);
        const Reply freed = co_await client_.eval(kReentrantUnlock, key_, milliseconds(), holder_);
        if (freed.failed()) co_return Failed{freed};
        co_return freed.is_integer() ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(renewal_);
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown()) {
                renewed = co_await client_.eval(kReentrantRenew, key_, milliseconds(), holder_);
            }
            if (!renewed.is_integer(1)) {
                client_.lost();
                co_return;
            }
        }
    }
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    const Duration renewal_;
    const Token holder_;  ///< one per client, so that it recognises its own lock
    std::uint32_t holds_ = 0;
    Background watchdog_;
};

}  // namespace

std::unique_ptr<Lock> make_reentrant_watchdog(Client& client, const Key& key,
                                              const LockOptions& options) {
    return std::make_unique<ReentrantWatchdog>(client, key, options);
}

}  // namespace locklab
