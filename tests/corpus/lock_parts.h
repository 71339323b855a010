// What many locks of the corpus have in common, with one step of it to be done otherwise.
#pragma once

#include <string>
#include <utility>

#include "algorithms/compare_and_delete.h"
#include "harness/core/lock.h"

namespace locklab::corpus {

inline constexpr LockOptions kLease{.ttl = std::chrono::seconds(10),
                                    .retry = std::chrono::milliseconds(100),
                                    .clock_unit = std::chrono::milliseconds(1)};
inline constexpr LockOptions kWatched{.ttl = std::chrono::seconds(30),
                                      .retry = std::chrono::milliseconds(300),
                                      .renewal = std::chrono::seconds(10),
                                      .clock_unit = std::chrono::milliseconds(1)};
inline constexpr LockOptions kNoExpiry{.retry = std::chrono::milliseconds(100)};

inline constexpr Script kCompareAndExtend{
    "compare_and_extend",
    "if redis.call('get', KEYS[1]) == ARGV[1] "
    "then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end"};

/// The parent is set_nx_lua: SET key token NX PX, and a script that compares and deletes.
class TokenLock : public Lock {
public:
    TokenLock(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), options_(options) {}

    Task<Acquired> try_acquire() override {
        token_ = new_token();
        const Reply reply = co_await take();
        if (reply.is_unknown()) co_return Unknown{};
        if (!took(reply)) co_return Refused{};
        granted();
        co_return Grant{token_, options_.ttl};
    }
    Task<Release> release() override {
        const Reply reply = co_await give_back();
        if (reply.is_unknown()) co_return Release::unknown;
        co_return gave_back(reply) ? Release::yes : Release::not_ours;
    }

protected:
    virtual Token new_token() { return client_.fresh_token(); }
    virtual Task<Reply> take() {
        const Reply reply = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        co_return reply;
    }
    virtual bool took(const Reply& reply) { return reply.is_ok(); }
    virtual void granted() {}
    virtual Task<Reply> give_back() {
        const Reply reply = co_await client_.eval(kCompareAndDelete, key_, token_);
        co_return reply;
    }
    virtual bool gave_back(const Reply& reply) { return reply.is_integer(1); }

    std::int64_t ttl_ms() const { return options_.ttl / std::chrono::milliseconds(1); }
    std::int64_t ttl_s() const { return options_.ttl / std::chrono::seconds(1); }

    Client& client_;
    const Key key_;
    const LockOptions options_;
    Token token_;
};

/// The parent is watchdog_owned: the same, and a watchdog that compares and extends.
class WatchedLock : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Release> release() override {
        stop_watching();
        return TokenLock::release();
    }

protected:
    void granted() override { watchdog_ = client_.spawn(watch()); }
    virtual void stop_watching() { client_.cancel(watchdog_); }
    virtual Task<> watch() {
        for (;;) {
            co_await client_.sleep(next_renewal());
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown()) renewed = co_await renew();
            if (!renewed.is_integer(1)) {
                client_.lost();
                co_return;
            }
        }
    }
    virtual Duration next_renewal() { return options_.renewal; }
    virtual Task<Reply> renew() {
        const Reply reply = co_await client_.eval(kCompareAndExtend, key_, token_, ttl_ms());
        co_return reply;
    }

    Background watchdog_;
};

}  // namespace locklab::corpus
