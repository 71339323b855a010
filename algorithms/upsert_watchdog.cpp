// Article: none of the five; watchdogs that write the key where an owner's renewal finds none.
// Idea:    watchdog_owned, whose renewal takes the key again if nobody has it: a restart or an
//          eviction costs no holder its lock, if its renewal comes before another client.
// Claims:  as watchdog_owned; and the holder survives that Redis forgets its key.
// Breaks:  what breaks watchdog_owned, but for a server that hangs and goes on: the renewal that
//          waited there sets the key before anybody else does. A renewal that is under way when its
//          holder releases may arrive last: then it takes the lock for nobody, until the TTL ends
//          it.
#include "algorithms/algorithms.h"
#include "algorithms/compare_and_delete.h"

namespace locklab {

namespace {

/// 1: ours, and renewed or taken again; 0: another's.
constexpr Script kUpsert{"upsert",
                         "local held = redis.call('get', KEYS[1]) "
                         "if held and held ~= ARGV[1] then return 0 end "
                         "redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2]) "
                         "return 1"};

class UpsertWatchdog final : public Lock {
public:
    UpsertWatchdog(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", milliseconds());
        if (set.failed()) co_return Failed{set};
        if (!set.is_ok()) co_return Refused{};
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
                renewed = co_await client_.eval(kUpsert, key_, token_, milliseconds());
            }
            if (!renewed.is_integer(1)) co_return client_.lost();
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

std::unique_ptr<Lock> make_upsert_watchdog(Client& client, const Key& key,
                                           const LockOptions& options) {
    return std::make_unique<UpsertWatchdog>(client, key, options);
}

}  // namespace locklab
