// Locks by a stranger: whose clock, and how it is read.
#include <cstdlib>
#include <string>

#include "tests/corpus/corpus.h"

namespace locklab::corpus {

namespace {

constexpr LockOptions kLease{.ttl = std::chrono::seconds(10),
                             .retry = std::chrono::milliseconds(100)};
constexpr LockOptions kRenewed{.ttl = std::chrono::seconds(10),
                               .retry = std::chrono::milliseconds(100),
                               .renewal = std::chrono::seconds(5)};

constexpr Script kDeleteIfMine{
    "clocks_delete_if_mine",
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"};

constexpr Script kExtendIfMine{"clocks_extend_if_mine",
                               "if redis.call('get', KEYS[1]) == ARGV[1] "
                               "then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"};

/// deadline:client, so that no two clients ever write the same value.
Token deadline_token(WallTime deadline, ClientId id) {
    return Token{std::to_string(us(deadline)) + ":" + std::to_string(id.value)};
}

std::int64_t deadline_in(const std::string& text) {
    return std::strtoll(text.c_str(), nullptr, 10);
}

// Idea: the value is the deadline; GETDEL removes a stale one and shows that nobody was faster.
// Mistake: A crashes, B and C see stale, B in, C's GETDEL removes B's and only then sees it; C in.
class GetdelWhenStale final : public Lock {
public:
    GetdelWhenStale(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        const WallTime now = client_.now();
        token_ = deadline_token(now + ttl_, client_.id());
        const Reply first = co_await client_.command("SETNX", key_, token_);
        if (first.is_unknown()) co_return Unknown{};
        if (first.is_integer(1)) co_return Grant{token_, ttl_};
        const Reply held = co_await client_.command("GET", key_);
        if (held.is_unknown()) co_return Unknown{};
        if (!held.is_bulk() || deadline_in(held.text()) > us(now)) co_return Refused{};
        const Reply removed = co_await client_.command("GETDEL", key_);
        if (removed.is_unknown()) co_return Unknown{};
        if (removed.text() != held.text()) co_return Refused{};
        const Reply second = co_await client_.command("SETNX", key_, token_);
        if (second.is_unknown()) co_return Unknown{};
        if (!second.is_integer(1)) co_return Refused{};
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Duration ttl_;
    Token token_;
};

// Idea: SETNX and GETSET with deadlines, and an EXPIRE so that abandoned keys do not pile up.
// Mistake: Redis's clock jumps ahead by more than the EXPIRE, A's key goes at work, B in.
class HousekeepingExpire final : public Lock {
public:
    HousekeepingExpire(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        const WallTime now = client_.now();
        token_ = deadline_token(now + ttl_, client_.id());
        const Reply set = co_await client_.command("SETNX", key_, token_);
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_integer(1)) {
            const Reply held = co_await client_.command("GET", key_);
            if (held.is_unknown()) co_return Unknown{};
            if (!held.is_bulk() || deadline_in(held.text()) > us(now)) co_return Refused{};
            const Reply before = co_await client_.command("GETSET", key_, token_);
            if (before.is_unknown()) co_return Unknown{};
            if (before.text() != held.text()) co_return Refused{};
        }
        // One second more than the deadline, so that it never goes first.
        const std::int64_t seconds = ttl_ / std::chrono::seconds(1) + 1;
        co_await client_.command("EXPIRE", key_, seconds);
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Duration ttl_;
    Token token_;
};

// Idea: the watchdog looks at the clock each half second and renews when an interval has gone by.
// Mistake: by the wall clock: A's jumps back, no interval ever seems gone, A's key expires, B in.
class RenewsByWallClock final : public Lock {
public:
    RenewsByWallClock(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        token_ = token;
        watchdog_ = client_.spawn(renew());
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        client_.cancel(watchdog_);
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        WallTime last = client_.now();
        for (;;) {
            co_await client_.sleep(renewal_ / 10);
            if (client_.now() - last < renewal_) continue;
            last = client_.now();
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown()) {
                renewed = co_await client_.eval(kExtendIfMine, key_, token_, milliseconds());
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

// Idea: a release after the lease, by the monotonic clock since before the SET, sends nothing.
// Mistake: none: a key that is not deleted expires, and one that is deleted holds the token.
class SilentWhenLate final : public Lock {
public:
    SilentWhenLate(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        const MonotonicTime before = client_.monotonic();
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        token_ = token;
        end_ = before + ttl_;
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        if (client_.monotonic() >= end_) co_return Release::not_ours;
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    MonotonicTime end_;
    Token token_;
};

}  // namespace

void add_stranger_clocks(std::vector<Entry>& entries) {
    entries.push_back(broken("getdel_when_stale", "setnx_getset_epoch", {Hazard::crash},
                             Cause::foreign_delete,
                             "Two clients see the crashed one's deadline pass; the slower one's "
                             "GETDEL removes the faster one's new lock.",
                             kLease, make<GetdelWhenStale>));
    entries.push_back(broken("housekeeping_expire", "setnx_getset_epoch",
                             {Hazard::server_clock_jump}, Cause::clock,
                             "The EXPIRE that is to tidy up lets a jump of Redis's clock take a "
                             "key that is held.",
                             kLease, make<HousekeepingExpire>));
    entries.push_back(broken("renews_by_wall_clock", "watchdog_owned",
                             {Hazard::slow_job, Hazard::clock_jump}, Cause::expired_while_held,
                             "The watchdog waits for the wall clock, which has jumped back, and "
                             "lets the key expire.",
                             kRenewed, make<RenewsByWallClock>));
    entries.push_back(
        correct("silent_when_late", "set_nx_lua",
                {Hazard::contention, Hazard::crash, Hazard::lose_request, Hazard::lose_reply,
                 Hazard::clock_offset, Hazard::clock_jump, Hazard::delay_request, Hazard::retry},
                "A release after the lease sends nothing, as its monotonic clock "
                "says that the key has gone.",
                kLease, make<SilentWhenLate>));
}

}  // namespace locklab::corpus
