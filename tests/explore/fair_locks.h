// Locks that are fair, and locks that look as if they were.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "tests/explore/written_lock.h"

namespace locklab {

/// A ticket for each who asks, and its turn: fair, and lost for good with the first who crashes.
class TicketLock : public Lock {
public:
    TicketLock(Client& client, Key key, const LockOptions&)
        : client_(client), key_(std::move(key)) {}

    Task<Acquired> try_acquire() override {
        if (ticket_ == 0) {
            const Reply drawn = co_await client_.command("INCR", key_);
            if (drawn.failed()) co_return Failed{drawn};
            ticket_ = drawn.as_integer();
        }
        const Reply done = co_await client_.command("GET", key_.name + ":done");
        if (done.failed()) co_return Failed{done};
        const std::string before = done.is_bulk() ? done.text() : "0";
        if (before != std::to_string(ticket_ - 1)) co_return Refused{};
        co_return Grant{};
    }

    Task<Release> release() override {
        ticket_ = 0;
        co_await client_.command("INCR", key_.name + ":done");
        co_return Release::yes;
    }

protected:
    Client& client_;
    const Key key_;
    std::int64_t ticket_ = 0;
};

/// The same in one script, where the turn is in a hash.
class ScriptedTickets final : public Lock {
public:
    ScriptedTickets(Client& client, Key key, const LockOptions&)
        : client_(client), key_(std::move(key)) {}

    Task<Acquired> try_acquire() override {
        static constexpr Script kTake{
            "take_a_ticket",
            "local ticket = tonumber(ARGV[1]) "
            "if ticket == 0 then ticket = redis.call('hincrby', KEYS[1], 'drawn', 1) end "
            "local done = tonumber(redis.call('hget', KEYS[1], 'done') or '0') "
            "return {ticket, ticket == done + 1 and 1 or 0}"};
        const Reply answer = co_await client_.eval(kTake, key_, ticket_);
        if (answer.failed()) co_return Failed{answer};
        ticket_ = answer.elements()[0].as_integer();
        if (answer.elements()[1].as_integer() == 0) co_return Refused{};
        co_return Grant{};
    }

    Task<Release> release() override {
        ticket_ = 0;
        co_await client_.command("HINCRBY", key_, "done", 1);
        co_return Release::yes;
    }

private:
    Client& client_;
    const Key key_;
    std::int64_t ticket_ = 0;
};

/// Who is refused is the next, unless somebody else is already: room for one, so fair for two
/// clients. Who leaves cannot come back before the next was there.
class NextInLine : public Lock {
public:
    NextInLine(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), options_(options) {}

    Task<Acquired> try_acquire() override {
        static constexpr Script kTakeOrBook{
            "take_or_book",
            "local next = redis.call('get', KEYS[1] .. ':next') "
            "if redis.call('exists', KEYS[1]) == 0 and (not next or next == ARGV[1]) then "
            "redis.call('set', KEYS[1], ARGV[1]) redis.call('del', KEYS[1] .. ':next') return 1 "
            "end "
            "if next then return 0 end "
            "if ARGV[2] == '0' then redis.call('set', KEYS[1] .. ':next', ARGV[1]) "
            "else redis.call('set', KEYS[1] .. ':next', ARGV[1], 'PX', ARGV[2]) end "
            "return 0"};
        if (name_.text.empty()) name_ = client_.fresh_token();
        const std::int64_t ms = booked_for_ms();
        const Reply taken = co_await client_.eval(kTakeOrBook, key_, name_, ms);
        if (taken.failed()) co_return Failed{taken};
        if (!taken.is_integer(1)) co_return Refused{};
        co_return Grant{name_};
    }

    Task<Release> release() override {
        co_await client_.command("DEL", key_);
        co_return Release::yes;
    }

protected:
    /// 0: until it has had the lock.
    virtual std::int64_t booked_for_ms() const { return 0; }

    Client& client_;
    const Key key_;
    const LockOptions options_;
    Token name_;
};

/// The same, and a booking runs out, lest one that crashes blocks the lock: sooner than who booked
/// comes again.
class BookingRunsOut final : public NextInLine {
public:
    using NextInLine::NextInLine;

protected:
    std::int64_t booked_for_ms() const override { return 100; }
};

/// Every so many rounds a client looks at the key once more than in the others: what it does once
/// is not what it does for ever.
template <int kRounds>
class LooksTwice final : public NextInLine {
public:
    using NextInLine::NextInLine;

    Task<Release> release() override {
        if (++rounds_ % kRounds == 0) co_await client_.command("GET", key_);
        const Release outcome = co_await NextInLine::release();
        co_return outcome;
    }

private:
    int rounds_ = 0;
};

/// Looks at the key first in its third try of a round.
class LooksInItsThirdTry final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        if (++tries_ == 3) co_await client_.command("GET", key_);
        const Reply set = co_await client_.command("SETNX", key_, "held");
        if (!set.is_integer(1)) co_return Refused{};
        tries_ = 0;
        co_return Grant{};
    }

private:
    int tries_ = 0;
};

inline Algorithm ticket_row() {
    Algorithm row = written<TicketLock>("setnx_del", "ticket");
    row.fair = true;
    return row;
}

}  // namespace locklab
