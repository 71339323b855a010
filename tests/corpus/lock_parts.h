// What many locks of the corpus have in common, with one step of it to be done otherwise. A lock
// derives from one of these, and its own lines are what is odd about it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "algorithms/compare_and_delete.h"
#include "algorithms/reentrant_scripts.h"
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
/// What counts in whole seconds, as most of the strangers' locks do, and those that they renew.
inline constexpr LockOptions kSeconds{.ttl = std::chrono::seconds(10),
                                      .retry = std::chrono::milliseconds(100)};
inline constexpr LockOptions kWatchedSeconds{.ttl = std::chrono::seconds(10),
                                             .retry = std::chrono::milliseconds(100),
                                             .renewal = std::chrono::seconds(3)};

/// What set_nx_lua survives.
inline std::vector<Hazard> calm() {
    using enum Hazard;
    return {crash, lose_request, lose_reply, delay_request, retry, clock_offset, clock_jump};
}
/// The same for locks that bear no message which comes late or twice.
inline std::vector<Hazard> calm_in_time() {
    using enum Hazard;
    return {crash, lose_request, lose_reply, clock_offset, clock_jump};
}
/// What a lock survives whose key lives for ever.
inline std::vector<Hazard> calm_without_ttl() {
    using enum Hazard;
    return {slow_job, pause, clock_offset, clock_jump, server_clock_jump};
}
inline std::vector<Hazard> contended(std::vector<Hazard> faults) {
    faults.insert(faults.begin(), Hazard::contention);
    return faults;
}

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
    virtual Task<Reply> take() { return ask("SET", key_, token_, "NX", "PX", ttl_ms()); }
    virtual bool took(const Reply& reply) { return reply.is_ok(); }
    virtual void granted() {}
    virtual Task<Reply> give_back() { return run(kCompareAndDelete, key_, token_); }
    virtual bool gave_back(const Reply& reply) { return reply.is_integer(1); }

    /// A step that is one command: `return ask("DEL", key_);`.
    template <class... Words>
    Task<Reply> ask(Words... words) {
        const Reply reply = co_await client_.command(words...);
        co_return reply;
    }
    /// A step that is one script.
    template <class... Words>
    Task<Reply> run(const Script& script, Key key, Words... arguments) {
        const Reply reply = co_await client_.eval(script, key, arguments...);
        co_return reply;
    }

    /// A step that sends nothing, and finds nothing to do.
    static Task<Reply> nothing() { co_return Reply::integer(0); }

    std::string number() const { return std::to_string(client_.id().value); }
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
    virtual Task<Reply> renew() { return run(kCompareAndExtend, key_, token_, ttl_ms()); }

    Background watchdog_;
};

/// Its key is taken by a script that is given token and TTL in milliseconds, and answers 1 for yes.
template <const Script& script, class Base = TokenLock>
struct TakenBy : Base {
    using Base::Base;
    Task<Reply> take() override {
        return this->run(script, this->key_, this->token_, this->ttl_ms());
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
};

/// Its key is freed by a script that is given the token.
template <const Script& script, class Base = TokenLock>
struct FreedBy : Base {
    using Base::Base;
    Task<Reply> give_back() override { return this->run(script, this->key_, this->token_); }
};

template <const Script& Take, const Script& GiveBack, class Base = TokenLock>
using TwoScripts = FreedBy<GiveBack, TakenBy<Take, Base>>;

/// Its key is renewed by a script that is given token and TTL in milliseconds.
template <const Script& script, class Base = WatchedLock>
struct RenewedBy : Base {
    using Base::Base;
    Task<Reply> renew() override {
        return this->run(script, this->key_, this->token_, this->ttl_ms());
    }
};

/// DEL frees its key.
template <class Base = TokenLock>
struct Deleted : Base {
    using Base::Base;
    Task<Reply> give_back() override { return this->ask("DEL", this->key_); }
};

/// One token for all rounds of a client.
template <class Base = TokenLock>
class OneToken : public Base {
public:
    OneToken(Client& client, Key key, const LockOptions& options)
        : OneToken(client, std::move(key), options, client.fresh_token()) {}
    OneToken(Client& client, Key key, const LockOptions& options, Token token)
        : Base(client, std::move(key), options), mine_(std::move(token)) {}

protected:
    Token new_token() override { return mine_; }

    const Token mine_;
};

/// A client that is refused by its own key, of which it was not told, extends it and has it.
template <class Base = TokenLock>
class FindsItsOwn : public Base {
public:
    using Base::Base;

protected:
    Task<Reply> take() override {
        const Reply set = co_await Base::take();
        if (set.is_unknown() || set.is_ok()) co_return set;
        const Reply found = co_await find_own();
        if (found.is_unknown()) co_return found;
        co_return found.is_integer(1) ? Reply::ok() : Reply::nil();
    }
    virtual Task<Reply> find_own() {
        return this->run(kCompareAndExtend, this->key_, this->token_, this->ttl_ms());
    }
};

/// The same where its own key is good for what is left of it.
template <class Base = TokenLock>
class TakesItsOwn : public FindsItsOwn<Base> {
public:
    using FindsItsOwn<Base>::FindsItsOwn;

protected:
    Task<Reply> find_own() override {
        const Reply holder = co_await this->client_.command("GET", this->key_);
        if (holder.is_unknown()) co_return holder;
        co_return Reply::integer(holder.text() == this->token_.text ? 1 : 0);
    }
};

/// One script takes its key, and answers with the fencing token; 0: another has the lock.
template <const Script& script>
struct DrawnBy : TokenLock {
    using TokenLock::TokenLock;
    Task<Acquired> try_acquire() override {
        token_ = new_token();
        const Reply drawn = co_await client_.eval(script, key_, token_, ttl_ms());
        if (drawn.failed()) co_return Failed{drawn};
        if (drawn.is_integer(0)) co_return Refused{};
        co_return Grant{token_, options_.ttl, static_cast<std::uint64_t>(drawn.as_integer())};
    }
};

/// The parent is reentrant_watchdog without its watchdog: a hash from holder to count.
template <const Script& Enter = kReentrantLock, const Script& Leave = kReentrantUnlock>
class CountLock : public OneToken<> {
public:
    using OneToken<>::OneToken;

protected:
    Task<Reply> take() override { return run(Enter, key_, ttl_ms(), token_); }
    bool took(const Reply& reply) override { return reply.is_nil(); }
    Task<Reply> give_back() override { return run(Leave, key_, ttl_ms(), token_); }
    bool gave_back(const Reply& reply) override { return reply.is_integer(); }
};

}  // namespace locklab::corpus
