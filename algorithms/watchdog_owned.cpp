// Article: none of the five prints it: 004's watchdog with 001's token, as careful libraries do.
// Idea:    every command checks the token: SET NX PX takes, a script renews if the key still
//          holds our token, a script deletes if it does. Without an answer it renews again.
// Claims:  a job may take longer than the TTL; only the holder renews and releases; a holder
//          whose lock is gone is told at its next renewal.
// Breaks:  anything that stops the watchdog for longer than the TTL, and anything that makes
//          Redis forget the key: the holder learns of it too late.
#include "algorithms/algorithms.h"
#include "algorithms/compare_and_delete.h"
#include "algorithms/compare_and_expire.h"

namespace locklab {

namespace {

class WatchdogOwned final : public Lock {
public:
    WatchdogOwned(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", milliseconds());
        if (set.failed()) co_return Failed{set};
        if (!set.is_ok()) co_return Refused{};
        token_ = token;
        watchdog_ = client_.spawn(renew());
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        client_.cancel(watchdog_);
        const Reply deleted = co_await client_.eval(kCompareAndDelete, key_, token_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(renewal_);
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown()) {
                renewed = co_await client_.eval(kCompareAndExpire, key_, token_, milliseconds());
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
    Token token_;
    Background watchdog_;
};

}  // namespace

std::unique_ptr<Lock> make_watchdog_owned(Client& client, const Key& key,
                                          const LockOptions& options) {
    return std::make_unique<WatchdogOwned>(client, key, options);
}

}  // namespace locklab
