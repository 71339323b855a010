// Locks by a stranger: how the watchdog keeps the lock.
#include <string>

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

constexpr Script kTakeOverFromName{
    "renewals_take_over_from_name",
    "local held = redis.call('get', KEYS[1]) "
    "if not held or string.sub(held, 1, string.len(ARGV[1])) ~= ARGV[1] then return 0 end "
    "redis.call('psetex', KEYS[1], ARGV[3], ARGV[2]) return 1"};

constexpr Script kWriteAgainIfMine{"renewals_write_again_if_mine",
                                   "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                                   "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) return 1"};

// Idea: a renewal without an answer is the end: the job may go on for one lease, then is told.
// Mistake: the lease runs from the last renewal: A's is lost at 3 s, B in at 10 s, A told at 13 s.
struct LeaseFromTheFailure final : WatchedLock {
    using WatchedLock::WatchedLock;
    Task<> watch() override {
        for (;;) {
            co_await client_.sleep(options_.renewal);
            const Reply renewed = co_await renew();
            if (renewed.is_integer(1)) continue;
            if (renewed.is_unknown()) co_await client_.sleep(options_.ttl);
            client_.lost();
            co_return;
        }
    }
};

// Idea: ask how long the key has left, and renew only when less than one interval remains.
// Mistake: PTTL's milliseconds against seconds: A's last look finds 1000 > 3, A expires, B in.
struct LooksBeforeItRenews final : WatchedLock {
    using WatchedLock::WatchedLock;
    Task<> watch() override {
        for (;;) {
            co_await client_.sleep(options_.renewal);
            const Reply left = co_await client_.command("PTTL", key_);
            const std::int64_t enough = options_.renewal / std::chrono::seconds(1);
            if (left.is_integer() && left.as_integer() > enough) continue;
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown()) renewed = co_await renew();
            if (!renewed.is_integer(1)) {
                client_.lost();
                co_return;
            }
        }
    }
};

// Idea: the release raises a flag besides cancelling, lest a renewal in flight start another.
// Mistake: nobody lowers it: A's second watchdog ends at once, A's key expires at work, B in.
struct FlagStaysUp final : WatchedLock {
    using WatchedLock::WatchedLock;
    void stop_watching() override {
        released_ = true;
        WatchedLock::stop_watching();
    }
    Task<> watch() override {
        while (!released_) {
            co_await client_.sleep(options_.renewal);
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown() && !released_) renewed = co_await renew();
            if (!renewed.is_integer(1)) {
                client_.lost();
                co_return;
            }
        }
    }
    bool released_ = false;
};

// Idea: the token is client:try; renewing is SET again; a key of our client is from a lost try.
// Mistake: A's renewal is late, A releases, B in, the SET writes A over B, A's next try is in.
struct WritesItsNameAgain final : FindsItsOwn<WatchedLock> {
    using FindsItsOwn::FindsItsOwn;
    Token new_token() override { return Token{number() + ":" + std::to_string(++tries_)}; }
    Task<Reply> find_own() override {
        return run(kTakeOverFromName, key_, number() + ":", token_, ttl_ms());
    }
    Task<Reply> renew() override {
        const Reply set = co_await client_.command("SET", key_, token_, "PX", ttl_ms());
        if (set.is_unknown()) co_return set;
        co_return Reply::integer(set.is_ok() ? 1 : 0);
    }
    std::uint64_t tries_ = 0;
};

// Idea: the watchdog writes its token anew, with a new TTL, where the old value is its token.
// Mistake: none: comparing and writing are one script.
using WritesItsTokenAgain = RenewedBy<kWriteAgainIfMine>;

}  // namespace

void add_stranger_renewals(std::vector<Entry>& entries) {
    const Theme watched(entries, kWatchedSeconds);
    watched.broken<LeaseFromTheFailure>("lease_from_the_failure", "watchdog_owned",
                                        {slow_job, lose_request}, Cause::expired_while_held,
                                        "After a renewal without an answer it tells the holder one "
                                        "TTL after the failure, not after the last renewal.");
    watched.broken<LooksBeforeItRenews>(
        "looks_before_it_renews", "watchdog_owned", {slow_job}, Cause::expired_while_held,
        "PTTL's milliseconds are compared with seconds, so it sees no need to renew.");
    watched.broken<FlagStaysUp>(
        "flag_stays_up", "watchdog_owned", {slow_job}, Cause::expired_while_held,
        "The first release's flag stops the watchdog of the second acquisition.");
    watched.broken<WritesItsNameAgain>(
        "writes_its_name_again", "watchdog_owned", {slow_job, delay_request}, Cause::revived_key,
        "A late renewal writes the client's token over its successor's lock, and the client's next "
        "try takes that for its own.");
    watched.correct<WritesItsTokenAgain>(
        "writes_its_token_again", "watchdog_owned",
        {contention, crash, lose_request, lose_reply, clock_offset, clock_jump, delay_request,
         retry, slow_job},
        "The renewal is a script that writes the owner's token again by PSETEX.");
}

}  // namespace locklab::corpus
