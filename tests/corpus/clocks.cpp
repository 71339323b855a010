// Locks that ask a clock: a client's, the server's, or a stopwatch.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using enum Hazard;

constexpr LockOptions kDeadline{.ttl = seconds(3), .retry = milliseconds(30)};

std::int64_t number(const Reply& value) {
    return value.is_bulk() ? Command::of(value.text()).number(0) : 0;
}

/// The parent is setnx_getset_epoch: the value is a deadline, and GETSET takes over.
class DeadlineLock : public Lock {
public:
    DeadlineLock(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), options_(options) {}

    Task<Acquired> try_acquire() override {
        const std::int64_t now = clock();
        deadline_ = written(now + options_.ttl / options_.clock_unit + 1);
        const Reply created = co_await client_.command("SETNX", key_, deadline_);
        if (created.is_unknown()) co_return Unknown{};
        if (created.is_integer(1)) co_return granted();
        const Reply held = co_await client_.command("GET", key_);
        if (held.is_unknown()) co_return Unknown{};
        if (!held.is_bulk() || !is_past(number(held), now)) co_return Refused{};
        const Reply old = co_await take_over();
        if (old.is_unknown()) co_return Unknown{};
        if (!won(old, now)) co_return Refused{};
        co_return granted();
    }
    Task<Release> release() override {
        if (clock() >= deadline_) co_return Release::not_ours;
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

protected:
    std::int64_t clock() { return us(client_.now()) / us(options_.clock_unit); }
    virtual std::int64_t written(std::int64_t deadline) { return deadline; }
    virtual bool is_past(std::int64_t deadline, std::int64_t now) { return now > deadline; }
    virtual Task<Reply> take_over() {
        const Reply old = co_await client_.command("GETSET", key_, deadline_);
        co_return old;
    }
    virtual bool won(const Reply& old, std::int64_t now) {
        return old.is_bulk() && is_past(number(old), now);
    }
    Grant granted() const { return {Token{std::to_string(deadline_)}, options_.ttl}; }

    Client& client_;
    const Key key_;
    const LockOptions options_;
    std::int64_t deadline_ = 0;
};

class AnswerNotLookedAt final : public DeadlineLock {
public:
    using DeadlineLock::DeadlineLock;

private:
    bool won(const Reply&, std::int64_t) override { return true; }
};

class TakenOverBySet final : public DeadlineLock {
public:
    using DeadlineLock::DeadlineLock;

private:
    Task<Reply> take_over() override {
        const Reply set = co_await client_.command("SET", key_, deadline_);
        co_return set;
    }
    bool won(const Reply& set, std::int64_t) override { return set.is_ok(); }
};

/// DEL, so that SETNX can succeed: two clients do it one after the other.
class TakenOverByDel final : public DeadlineLock {
public:
    using DeadlineLock::DeadlineLock;

private:
    Task<Reply> take_over() override {
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.is_unknown()) co_return deleted;
        const Reply created = co_await client_.command("SETNX", key_, deadline_);
        co_return created;
    }
    bool won(const Reply& created, std::int64_t) override { return created.is_integer(1); }
};

/// The deadline is reckoned in one unit and compared in another, a thousand times as fine.
class DeadlineTooFine final : public DeadlineLock {
public:
    using DeadlineLock::DeadlineLock;

private:
    std::int64_t written(std::int64_t deadline) override { return deadline * 1000; }
};

class ComparedTooFine final : public DeadlineLock {
public:
    using DeadlineLock::DeadlineLock;

private:
    bool is_past(std::int64_t deadline, std::int64_t now) override { return now * 1000 > deadline; }
};

/// The time to live alone, without the time of day to which it should be added.
class DeadlineIsTtl final : public DeadlineLock {
public:
    using DeadlineLock::DeadlineLock;

private:
    std::int64_t written(std::int64_t) override { return options_.ttl / options_.clock_unit; }
};

/// A TTL would do, but the client also takes over what its own clock calls old.
class TakesOverByOwnClock final : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Acquired> try_acquire() override {
        const std::int64_t now = us(client_.now()) / 1000;
        const std::int64_t deadline = now + ttl_ms();
        const Reply set = co_await client_.command("SET", key_, deadline, "NX", "PX", ttl_ms());
        if (set.is_unknown()) co_return Unknown{};
        token_ = Token{std::to_string(deadline)};
        if (set.is_ok()) co_return Grant{token_, options_.ttl};
        const Reply held = co_await client_.command("GET", key_);
        if (held.is_unknown()) co_return Unknown{};
        if (!held.is_bulk() || now <= number(held)) co_return Refused{};
        const Reply old = co_await client_.command("SET", key_, deadline, "PX", ttl_ms());
        if (old.is_unknown()) co_return Unknown{};
        co_return Grant{token_, options_.ttl};
    }
};

constexpr Script kSetUntil{"set_until",
                           "if redis.call('setnx', KEYS[1], ARGV[1]) == 0 then return 0 end "
                           "redis.call('pexpireat', KEYS[1], ARGV[2]) "
                           "return 1"};

/// The key expires at a time of the client's clock.
class ExpiresByOwnClock final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const std::int64_t deadline = us(client_.now()) / 1000 + ttl_ms();
        const Reply reply = co_await client_.eval(kSetUntil, key_, token_, deadline);
        co_return reply;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
};

/// redis-objects from 1.4.2: a time to live, and DEL while the client's own end is ahead.
class DeletesInTime final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        end_ = client_.now() + options_.ttl;
        return TokenLock::take();
    }
    Task<Reply> give_back() override {
        if (client_.now() >= end_) co_return Reply::integer(0);
        const Reply deleted = co_await client_.command("DEL", key_);
        co_return deleted;
    }
    WallTime end_;
};

/// The same by a stopwatch, which nobody sets: as good as a token while requests are not late.
class DeletesByStopwatch final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        began_ = client_.monotonic();
        return TokenLock::take();
    }
    Task<Reply> give_back() override {
        if (client_.monotonic() - began_ >= options_.ttl) co_return Reply::integer(0);
        const Reply deleted = co_await client_.command("DEL", key_);
        co_return deleted;
    }
    MonotonicTime began_;
};

constexpr Script kTakeByServerClock{
    "take_by_server_clock",
    "local now = tonumber(redis.call('time')[1]) "
    "local deadline = redis.call('get', KEYS[1]) "
    "if deadline and now <= tonumber(string.match(deadline, '^(%d+)')) then return 0 end "
    "redis.call('set', KEYS[1], (now + ARGV[2]) .. ':' .. ARGV[1]) "
    "return 1"};
constexpr Script kFreeByToken{"free_by_token",
                              "local value = redis.call('get', KEYS[1]) "
                              "if value and string.match(value, ':(.*)$') == ARGV[1] then "
                              "return redis.call('del', KEYS[1]) end "
                              "return 0"};

/// The value is a deadline, but one clock alone is asked: Redis' own, in a script.
class DeadlineOfServer final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply reply = co_await client_.eval(kTakeByServerClock, key_, token_, ttl_s() + 1);
        co_return reply;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override {
        const Reply reply = co_await client_.eval(kFreeByToken, key_, token_);
        co_return reply;
    }
};

}  // namespace

void add_clocks(std::vector<Entry>& entries) {
    entries.push_back(broken("answer_not_looked_at", "setnx_getset_epoch", {crash},
                             Cause::overwritten,
                             "Of two that saw the deadline past, both take over, for neither "
                             "looks at what GETSET swapped out.",
                             kDeadline, make<AnswerNotLookedAt>));
    entries.push_back(broken("taken_over_by_set", "setnx_getset_epoch", {crash}, Cause::overwritten,
                             "SET takes over where GETSET would tell who came first.", kDeadline,
                             make<TakenOverBySet>));
    entries.push_back(broken("taken_over_by_del", "setnx_getset_epoch", {crash},
                             Cause::foreign_delete,
                             "DEL and SETNX take over; the second DEL deletes the first taker's "
                             "key.",
                             kDeadline, make<TakenOverByDel>));
    entries.push_back(stuck("deadline_too_fine", "setnx_getset_epoch", {crash},
                            "The deadline is written in milliseconds and compared in seconds.",
                            kDeadline, make<DeadlineTooFine>));
    entries.push_back(broken("compared_too_fine", "setnx_getset_epoch", {}, Cause::overwritten,
                             "The deadline is written in seconds and compared with milliseconds.",
                             kDeadline, make<ComparedTooFine>));
    entries.push_back(broken("deadline_is_ttl", "setnx_getset_epoch", {}, Cause::overwritten,
                             "The value is the time to live, which is long past as a time of day.",
                             kDeadline, make<DeadlineIsTtl>));
    entries.push_back(broken(
        "takes_over_by_own_clock", "set_nx_lua", {clock_offset}, Cause::overwritten,
        "A client whose clock is ahead takes the key for old.", kLease, make<TakesOverByOwnClock>));
    entries.push_back(broken("expires_by_own_clock", "set_nx_lua", {clock_offset}, Cause::clock,
                             "PEXPIREAT is given a time of the client's clock.", kLease,
                             make<ExpiresByOwnClock>));
    entries.push_back(broken("deletes_in_time", "set_nx_lua", {delay_request},
                             Cause::foreign_delete,
                             "DEL is sent while the lease lasts, and may arrive after it.", kLease,
                             make<DeletesInTime>));
    entries.push_back(correct("deletes_by_stopwatch", "set_nx_lua",
                              {crash, lose_request, lose_reply, clock_offset, clock_jump},
                              "A stopwatch says whether the lease can have run out before DEL.",
                              kLease, make<DeletesByStopwatch>));
    entries.push_back(
        correct("deadline_of_server", "set_nx_lua",
                {crash, lose_request, lose_reply, delay_request, retry, clock_offset, clock_jump},
                "The value is a deadline, and a script compares it with the clock "
                "of Redis.",
                kLease, make<DeadlineOfServer>));
}

}  // namespace locklab::corpus
