// Locks that ask a clock: a client's, the server's, or a stopwatch.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using enum Hazard;

constexpr LockOptions kDeadline{.ttl = seconds(3), .retry = milliseconds(30)};

std::int64_t number_in(const Reply& value) {
    return value.is_bulk() ? Command::of(value.text()).number(0) : 0;
}

/// The parent is setnx_getset_epoch: the value is a deadline, and GETSET takes over.
struct DeadlineLock : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override {
        now_ = clock();
        deadline_ = written(now_ + options_.ttl / options_.clock_unit + 1);
        return Token{std::to_string(deadline_)};
    }
    Task<Reply> take() override {
        const Reply created = co_await client_.command("SETNX", key_, token_);
        if (created.is_unknown() || created.is_integer(1)) co_return created;
        const Reply held = co_await client_.command("GET", key_);
        if (held.is_unknown()) co_return held;
        if (!held.is_bulk() || !is_past(number_in(held))) co_return Reply::nil();
        const Reply old = co_await take_over();
        if (old.is_unknown()) co_return old;
        co_return Reply::integer(won(old) ? 1 : 0);
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override { return clock() >= deadline_ ? nothing() : ask("DEL", key_); }
    std::int64_t clock() { return us(client_.now()) / us(options_.clock_unit); }
    virtual std::int64_t written(std::int64_t deadline) { return deadline; }
    virtual bool is_past(std::int64_t deadline) { return now_ > deadline; }
    virtual Task<Reply> take_over() { return ask("GETSET", key_, token_); }
    virtual bool won(const Reply& old) { return old.is_bulk() && is_past(number_in(old)); }

    std::int64_t now_ = 0;
    std::int64_t deadline_ = 0;
};

struct AnswerNotLookedAt final : DeadlineLock {
    using DeadlineLock::DeadlineLock;
    bool won(const Reply&) override { return true; }
};

struct TakenOverBySet final : DeadlineLock {
    using DeadlineLock::DeadlineLock;
    Task<Reply> take_over() override { return ask("SET", key_, token_); }
    bool won(const Reply& set) override { return set.is_ok(); }
};

/// DEL, so that SETNX can succeed: two clients do it one after the other.
struct TakenOverByDel final : DeadlineLock {
    using DeadlineLock::DeadlineLock;
    Task<Reply> take_over() override {
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.is_unknown()) co_return deleted;
        const Reply created = co_await client_.command("SETNX", key_, token_);
        co_return created;
    }
    bool won(const Reply& created) override { return created.is_integer(1); }
};

/// The deadline is reckoned in one unit and compared in another, a thousand times as fine.
struct DeadlineTooFine final : DeadlineLock {
    using DeadlineLock::DeadlineLock;
    std::int64_t written(std::int64_t deadline) override { return deadline * 1000; }
};

struct ComparedTooFine final : DeadlineLock {
    using DeadlineLock::DeadlineLock;
    bool is_past(std::int64_t deadline) override { return now_ * 1000 > deadline; }
};

/// The time to live alone, without the time of day to which it should be added.
struct DeadlineIsTtl final : DeadlineLock {
    using DeadlineLock::DeadlineLock;
    std::int64_t written(std::int64_t) override { return options_.ttl / options_.clock_unit; }
};

/// A TTL would do, but the client also takes over what its own clock calls old.
struct TakesOverByOwnClock final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override {
        now_ = us(client_.now()) / 1000;
        return Token{std::to_string(now_ + ttl_ms())};
    }
    Task<Reply> take() override {
        const Reply set = co_await TokenLock::take();
        if (set.is_unknown() || set.is_ok()) co_return set;
        const Reply held = co_await client_.command("GET", key_);
        if (held.is_unknown()) co_return held;
        if (!held.is_bulk() || now_ <= number_in(held)) co_return Reply::nil();
        const Reply old = co_await client_.command("SET", key_, token_, "PX", ttl_ms());
        co_return old.is_unknown() ? old : Reply::ok();
    }
    std::int64_t now_ = 0;
};

constexpr Script kSetUntil{"set_until",
                           "if redis.call('setnx', KEYS[1], ARGV[1]) == 0 then return 0 end "
                           "redis.call('pexpireat', KEYS[1], ARGV[2]) "
                           "return 1"};

/// The key expires at a time of the client's clock.
struct ExpiresByOwnClock final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const std::int64_t deadline = us(client_.now()) / 1000 + ttl_ms();
        return run(kSetUntil, key_, token_, deadline);
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
};

/// redis-objects from 1.4.2: a time to live, and DEL while the client's own end is ahead.
struct DeletesInTime final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        end_ = client_.now() + options_.ttl;
        return TokenLock::take();
    }
    Task<Reply> give_back() override {
        return client_.now() >= end_ ? nothing() : ask("DEL", key_);
    }
    WallTime end_;
};

/// The same by a stopwatch, which nobody sets: as good as a token while requests are not late.
struct DeletesByStopwatch final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        began_ = client_.monotonic();
        return TokenLock::take();
    }
    Task<Reply> give_back() override {
        return client_.monotonic() - began_ >= options_.ttl ? nothing() : ask("DEL", key_);
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
struct DeadlineOfServer final : FreedBy<kFreeByToken> {
    using FreedBy::FreedBy;
    Task<Reply> take() override { return run(kTakeByServerClock, key_, token_, ttl_s() + 1); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
};

}  // namespace

void add_clocks(std::vector<Entry>& entries) {
    const Theme deadlines(entries, kDeadline);
    const Theme add(entries, kLease);
    deadlines.broken<AnswerNotLookedAt>("answer_not_looked_at", "setnx_getset_epoch", {crash},
                                        Cause::overwritten,
                                        "Of two that saw the deadline past, both take over, for "
                                        "neither looks at what GETSET swapped out.");
    deadlines.broken<TakenOverBySet>("taken_over_by_set", "setnx_getset_epoch", {crash},
                                     Cause::overwritten,
                                     "SET takes over where GETSET would tell who came first.");
    deadlines.broken<TakenOverByDel>(
        "taken_over_by_del", "setnx_getset_epoch", {crash}, Cause::foreign_delete,
        "DEL and SETNX take over; the second DEL deletes the first taker's key.");
    deadlines.stuck<DeadlineTooFine>(
        "deadline_too_fine", "setnx_getset_epoch", {crash},
        "The deadline is written in milliseconds and compared in seconds.");
    deadlines.broken<ComparedTooFine>(
        "compared_too_fine", "setnx_getset_epoch", {}, Cause::overwritten,
        "The deadline is written in seconds and compared with milliseconds.");
    deadlines.broken<DeadlineIsTtl>(
        "deadline_is_ttl", "setnx_getset_epoch", {}, Cause::overwritten,
        "The value is the time to live, which is long past as a time of day.");
    add.broken<TakesOverByOwnClock>("takes_over_by_own_clock", "set_nx_lua", {clock_offset},
                                    Cause::overwritten,
                                    "A client whose clock is ahead takes the key for old.");
    add.broken<ExpiresByOwnClock>("expires_by_own_clock", "set_nx_lua", {clock_offset},
                                  Cause::clock, "PEXPIREAT is given a time of the client's clock.");
    add.broken<DeletesInTime>("deletes_in_time", "set_nx_lua", {delay_request},
                              Cause::foreign_delete,
                              "DEL is sent while the lease lasts, and may arrive after it.");
    add.correct<DeletesByStopwatch>(
        "deletes_by_stopwatch", "set_nx_lua", calm_in_time(),
        "A stopwatch says whether the lease can have run out before DEL.");
    add.correct<DeadlineOfServer>(
        "deadline_of_server", "set_nx_lua", calm(),
        "The value is a deadline, and a script compares it with the clock of Redis.");
}

}  // namespace locklab::corpus
