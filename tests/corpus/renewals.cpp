// Watchdogs that come too late, stop too early, go on for too long, or renew what is not theirs.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using enum Hazard;

constexpr LockOptions every(Duration renewal) {
    LockOptions options = kWatched;
    options.renewal = renewal;
    return options;
}

/// So short that a command may take as long as a job, and overtake another.
constexpr LockOptions kHasty{.ttl = milliseconds(60),
                             .retry = milliseconds(2),
                             .renewal = milliseconds(20),
                             .clock_unit = milliseconds(1)};

constexpr LockOptions kHastyLease{
    .ttl = milliseconds(60), .retry = milliseconds(2), .clock_unit = milliseconds(1)};

struct RenewsOnce final : WatchedLock {
    using WatchedLock::WatchedLock;
    Task<> watch() override {
        co_await client_.sleep(options_.renewal);
        co_await renew();
    }
};

/// Whatever is no "1" ends it, and a reply that never came is none.
struct StopsAtFirstError final : WatchedLock {
    using WatchedLock::WatchedLock;
    Task<> watch() override {
        for (;;) {
            co_await client_.sleep(options_.renewal);
            const Reply renewed = co_await renew();
            if (!renewed.is_integer(1)) co_return;
        }
    }
};

struct RenewsInWrongUnit final : WatchedLock {
    using WatchedLock::WatchedLock;
    Task<Reply> renew() override { return run(kCompareAndExtend, key_, token_, ttl_s()); }
};

/// Each renewal waits four times as long as the one before.
struct BacksOff final : WatchedLock {
    using WatchedLock::WatchedLock;
    void granted() override {
        next_ = options_.renewal;
        WatchedLock::granted();
    }
    Duration next_renewal() override { return std::exchange(next_, 4 * next_); }
    Duration next_{0};
};

/// "Set it to what it has left" is no renewal.
struct RenewsToWhatIsLeft final : WatchedLock {
    using WatchedLock::WatchedLock;
    Task<Reply> renew() override {
        const Reply left = co_await client_.command("PTTL", key_);
        if (left.is_unknown()) co_return left;
        const Reply reply =
            co_await client_.eval(kCompareAndExtend, key_, token_, left.as_integer());
        co_return reply;
    }
};

struct RenewsWithNx final : WatchedLock {
    using WatchedLock::WatchedLock;
    /// NX: only where the key has no time to live yet. The 0 that comes back is not looked at.
    Task<Reply> renew() override {
        const Reply reply = co_await client_.command("PEXPIRE", key_, ttl_ms(), "NX");
        if (reply.is_unknown()) co_return reply;
        co_return Reply::integer(1);
    }
};

struct RenewsAnotherKey final : WatchedLock {
    using WatchedLock::WatchedLock;
    Task<Reply> renew() override {
        const Reply reply = co_await client_.command("PEXPIRE", other_, ttl_ms());
        if (reply.is_unknown()) co_return reply;
        co_return Reply::integer(1);
    }
    const Key other_{"lock:" + key_.name};
};

/// One watchdog for all rounds, which is never cancelled and does not look at what comes back.
struct NeverCancelled : WatchedLock {
    using WatchedLock::WatchedLock;
    void stop_watching() override {}
    void granted() override {
        held_ = token_;
        if (!std::exchange(watched_, true)) WatchedLock::granted();
    }
    Task<> watch() override {
        for (;;) {
            co_await client_.sleep(options_.renewal);
            co_await keep(held_);
        }
    }
    virtual Task<Reply> keep(Token held) { return run(kCompareAndExtend, key_, held, ttl_ms()); }
    bool watched_ = false;
    Token held_;
};

/// And this one renews whatever is there.
struct RenewsForAll final : NeverCancelled {
    using NeverCancelled::NeverCancelled;
    Task<Reply> keep(Token) override { return ask("PEXPIRE", key_, ttl_ms()); }
};

/// No time to live while it works, so that it cannot run out.
struct PersistsWhileInside final : WatchedLock {
    using WatchedLock::WatchedLock;
    Task<> watch() override { co_await client_.command("PERSIST", key_); }
};

/// A task writes the key once more, by SET, so that one that is gone comes back; and PEXPIRE, a
/// command later.
struct UpsertThenExpire final : WatchedLock {
    using WatchedLock::WatchedLock;
    Task<> watch() override {
        co_await client_.command("SET", key_, token_);
        co_await client_.command("PEXPIRE", key_, ttl_ms());
    }
};

/// One token for each client, which knows its own key again; and a renewal that is SET.
struct UpsertOfClient final : TakesItsOwn<OneToken<WatchedLock>> {
    using TakesItsOwn::TakesItsOwn;
    Task<> watch() override {
        for (;;) {
            co_await client_.command("SET", key_, token_, "PX", ttl_ms());
            co_await client_.sleep(options_.renewal);
        }
    }
};

/// Says that the lock is lost at the first doubt.
struct LostAtFirstDoubt final : WatchedLock {
    using WatchedLock::WatchedLock;
    Task<> watch() override {
        for (;;) {
            co_await client_.sleep(options_.renewal);
            const Reply renewed = co_await renew();
            if (renewed.is_integer(1)) continue;
            client_.lost();
            co_return;
        }
    }
};

constexpr Script kExtendGreater{"compare_and_extend_gt",
                                "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                                "redis.call('pexpire', KEYS[1], ARGV[2], 'GT') "
                                "return 1"};

/// Renews in whole seconds, by EXPIRE, which this TTL is a multiple of.
constexpr Script kExtendSeconds{"compare_and_extend_seconds",
                                "if redis.call('get', KEYS[1]) == ARGV[1] "
                                "then return redis.call('expire', KEYS[1], ARGV[2]) end "
                                "return 0"};

struct RenewsInSeconds final : WatchedLock {
    using WatchedLock::WatchedLock;
    Task<Reply> renew() override { return run(kExtendSeconds, key_, token_, ttl_s() + 1); }
};

/// No renewal at all: it stops itself when four fifths of its lease are over, counted from before
/// the SET left.
struct StopsItself : TokenLock {
    using TokenLock::TokenLock;
    Task<Release> release() override {
        client_.cancel(timer_);
        return TokenLock::release();
    }
    Task<Reply> take() override {
        asked_ = client_.monotonic();
        return TokenLock::take();
    }
    void granted() override { timer_ = client_.spawn(stop()); }
    virtual Duration left() { return options_.ttl * 4 / 5 - (client_.monotonic() - asked_); }

    MonotonicTime asked_;
    Task<> stop() {
        co_await client_.sleep(left());
        client_.lost();
    }
    Background timer_;
};

/// Counts the whole lease, and only from the reply on.
struct StopsItselfTooLate final : StopsItself {
    using StopsItself::StopsItself;
    Duration left() override { return options_.ttl * 6 / 5; }
};

}  // namespace

void add_renewals(std::vector<Entry>& entries) {
    const Theme add(entries, kLease);
    const Theme watched(entries, kWatched);
    const Theme late(entries, every(seconds(36)));
    late.broken<WatchedLock>("renews_too_late", "watchdog_owned", {slow_job},
                             Cause::expired_while_held,
                             "The first renewal comes when the lease is over.");
    watched.broken<RenewsOnce>("renews_once", "watchdog_owned", {slow_job},
                               Cause::expired_while_held, "The watchdog renews once and ends.");
    watched.broken<StopsAtFirstError>(
        "stops_at_first_error", "watchdog_owned", {lose_request}, Cause::expired_while_held,
        "A renewal that is not answered ends the watchdog without a word.");
    watched.broken<RenewsInWrongUnit>("renews_in_wrong_unit", "watchdog_owned", {slow_job},
                                      Cause::expired_while_held,
                                      "PEXPIRE is given seconds, so the renewal ends the lease.");
    watched.broken<BacksOff>("backs_off", "watchdog_owned", {slow_job}, Cause::expired_while_held,
                             "Each renewal waits four times as long as the one before.");
    watched.broken<RenewsToWhatIsLeft>(
        "renews_to_what_is_left", "watchdog_owned", {slow_job}, Cause::expired_while_held,
        "The renewal sets the time to live to what PTTL says is left.");
    watched.broken<RenewsWithNx>(
        "renews_with_nx", "watchdog_owned", {slow_job}, Cause::expired_while_held,
        "PEXPIRE NX changes nothing where there is a time to live already.");
    watched.broken<RenewsAnotherKey>("renews_another_key", "watchdog_owned", {slow_job},
                                     Cause::expired_while_held,
                                     "The renewal names a key that is not the lock's.");
    watched.stuck<NeverCancelled>(
        "never_cancelled", "watchdog_owned", {lose_request},
        "The watchdog goes on after the release, and keeps a key whose release was lost.");
    watched.stuck<RenewsForAll>(
        "renews_for_all", "watchdog_owned", {crash},
        "A watchdog goes on after the release, and keeps the key of a client that has crashed.");
    watched.stuck<PersistsWhileInside>(
        "persists_while_inside", "watchdog_owned", {crash},
        "The holder takes the time to live off the key, and crashes.");
    Theme(entries, kHastyLease)
        .stuck<UpsertThenExpire>("upsert_then_expire", "set_nx_lua", {},
                                 "A second SET, from a task, arrives after the DEL of the "
                                 "release, and its PEXPIRE is never sent.");
    Theme(entries, kHasty)
        .broken<UpsertOfClient>("upsert_of_client", "reentrant_watchdog", {}, Cause::revived_key,
                                "A renewal by SET arrives after the release, over the next "
                                "holder's key, and its client takes that for its own.");
    add.broken<StopsItselfTooLate>("stops_itself_too_late", "stops_itself", {slow_job},
                                   Cause::expired_while_held,
                                   "The holder stops itself, but later than its lease ends.");
    const std::vector<Hazard> survived{slow_job,      crash, lose_request, lose_reply,
                                       delay_request, retry, clock_offset, clock_jump};
    watched.correct<LostAtFirstDoubt>(
        "lost_at_first_doubt", "watchdog_owned", survived,
        "A renewal that is not answered counts as a loss, and the holder stops.");
    watched.correct<RenewedBy<kExtendGreater>>("renews_with_gt", "watchdog_owned", survived,
                                               "PEXPIRE GT never makes a lease shorter.");
    watched.correct<RenewsInSeconds>("renews_in_seconds", "watchdog_owned", survived,
                                     "SET PX takes the lock, EXPIRE renews it, rounded up.");
    add.correct<StopsItself>("stops_itself", "set_nx_lua", survived,
                             "No renewal: the holder stops before its lease is over.");
}

}  // namespace locklab::corpus
