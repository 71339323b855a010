// Article: none of the five; so end sessions of Chubby at the client (Burrows 2006, section 2.8).
// Idea:    watchdog_owned, whose holder also measures its lease, from before the command that
//          began it. It stops at the end of that lease, whether or not Redis answers.
// Claims:  a holder that Redis does not answer stops before its key expires.
// Breaks:  a pause; anything that makes Redis forget the key early; a time-out that is longer than
//          the lease, for nothing looks at the time while a renewal waits for its answer.
#include "algorithms/algorithms.h"
#include "algorithms/compare_and_delete.h"
#include "algorithms/compare_and_expire.h"
#include "algorithms/own_lease.h"

namespace locklab {

namespace {

class SelfFencingWatchdog final : public Lock {
public:
    SelfFencingWatchdog(Client& client, Key key, const LockOptions& options)
        : client_(client),
          key_(std::move(key)),
          ttl_(options.ttl),
          renewal_(options.renewal),
          lease_(client, options.ttl) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Duration began = lease_.now();
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", milliseconds());
        if (set.failed()) co_return Failed{set};
        if (!set.is_ok()) co_return Refused{};
        lease_.begin(began);
        if (lease_.is_over()) {
            co_await client_.eval(kCompareAndDelete, key_, token_);
            co_return Unknown{};
        }
        watchdog_ = client_.spawn(renew());
        co_return Grant{token_, lease_.left()};
    }

    Task<Release> release() override {
        client_.cancel(watchdog_);
        const Reply deleted = co_await client_.eval(kCompareAndDelete, key_, token_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        Reply renewed = Reply::nil();
        for (;;) {
            if (!renewed.is_unknown()) co_await client_.sleep(renewal_);
            // What might be answered after the end is not asked.
            if (lease_.left() < renewal_) co_return co_await lease_.tell_at_end();
            const Duration began = lease_.now();
            renewed = co_await client_.eval(kCompareAndExpire, key_, token_, milliseconds());
            if (renewed.is_integer(1)) lease_.begin(began);
            if (renewed.is_integer(0)) co_return client_.lost();
        }
    }
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    const Duration renewal_;
    OwnLease lease_;
    Token token_;
    Background watchdog_;
};

}  // namespace

std::unique_ptr<Lock> make_self_fencing_watchdog(Client& client, const Key& key,
                                                 const LockOptions& options) {
    return std::make_unique<SelfFencingWatchdog>(client, key, options);
}

}  // namespace locklab
