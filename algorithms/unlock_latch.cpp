// Article: none of the five; Redisson's unlock since 3.28 (https://github.com/redisson/redisson).
// Idea:    reentrant_watchdog, whose unlock leaves its answer under a key of this one request, the
//          latch. The same unlock, sent again, finds the latch and counts nothing down.
// Claims:  as reentrant_watchdog; and an unlock that comes twice, or late, counts once.
// Breaks:  what breaks watchdog_owned. A lock that is sent again counts twice: others wait a TTL.
#include "algorithms/algorithms.h"
#include "algorithms/reentrant_scripts.h"

namespace locklab {

namespace {

/// As kReentrantUnlock; ARGV[3] is new in each request.
constexpr Script kLatchedUnlock{
    "latched_unlock",
    "local latch = KEYS[1] .. ':latch:' .. ARGV[3] "
    "local answer = redis.call('get', latch) if answer then return tonumber(answer) end "
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end "
    "answer = redis.call('hincrby', KEYS[1], ARGV[2], -1) > 0 and 0 or 1 "
    "if answer == 0 then redis.call('pexpire', KEYS[1], ARGV[1]) "
    "else redis.call('del', KEYS[1]) end "
    "redis.call('set', latch, answer, 'px', ARGV[1]) "
    "return answer"};

class UnlockLatch final : public Lock {
public:
    UnlockLatch(Client& client, Key key, const LockOptions& options)
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
        const Token request = client_.fresh_token();
        const Reply freed =
            co_await client_.eval(kLatchedUnlock, key_, milliseconds(), holder_, request);
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
            if (!renewed.is_integer(1)) co_return client_.lost();
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

std::unique_ptr<Lock> make_unlock_latch(Client& client, const Key& key,
                                        const LockOptions& options) {
    return std::make_unique<UnlockLatch>(client, key, options);
}

}  // namespace locklab
