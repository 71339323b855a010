// Article: 004, the Go code (DistributeLockRedis, safeGo, startWatchDog). As printed it does not
//          compile: two unused `res`, a `defer` without a call, and a Foo without a return.
// Idea:    take the lock with a small TTL and let a watchdog extend it, every TTL / 2, for as
//          long as the job runs.
// Claims:  a job may take longer than the TTL; a crash still frees the lock after its TTL.
// Breaks:  neither EXPIRE nor DEL asks whose key it is; the watchdog ends at its first error;
//          a pause or a starved watchdog lets the key expire unnoticed.
#include "algorithms/algorithms.h"
#include "algorithms/ttl.h"

namespace locklab {

namespace {

const Token kValueOfLock{"1"};

class WatchdogUnowned final : public Lock {
public:
    WatchdogUnowned(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        const Reply set = co_await client_.command("SET", key_, kValueOfLock, "NX", ttl_);
        if (set.failed()) co_return Failed{set};
        if (!set.is_ok()) co_return Refused{};
        // The watchdog is started before status is set, and spins until it is.
        client_.cancel(watchdog_);
        watchdog_ = client_.spawn(start_watchdog());
        status_ = true;
        co_return Grant{kValueOfLock, ttl_.duration()};
    }

    Task<Release> release() override {
        client_.cancel(watchdog_);
        // Foo() makes a new DistributeLockRedis for every lock, so status is false in the next one.
        if (!std::exchange(status_, false)) co_return Release::not_ours;
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> start_watchdog() {
        for (;;) {
            if (!status_) {
                co_await client_.sleep(Duration::zero());
                continue;
            }
            const Reply renewed = co_await client_.command(ttl_.expire(key_));
            if (!renewed.is_integer()) co_return;  // if err != nil { return nil }
            co_await client_.sleep(renewal_);
        }
    }

    Client& client_;
    const Key key_;
    const Ttl ttl_;
    const Duration renewal_;
    Background watchdog_;
    bool status_ = false;
};

}  // namespace

std::unique_ptr<Lock> make_watchdog_unowned(Client& client, const Key& key,
                                            const LockOptions& options) {
    return std::make_unique<WatchdogUnowned>(client, key, options);
}

}  // namespace locklab
