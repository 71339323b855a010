// Locks of somebody who had not read the code: what they keep from one round to the next, a lease
// or a fencing token, and how long it is good for.
#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

// Idea: whoever had the lock last takes it again without a new key, as lease caches do.
// Mistake: the key that is found again has only what is left of its first lease.
struct KeepsItsLease final : TakesItsOwn<OneToken<>> {
    using TakesItsOwn::TakesItsOwn;
    Task<Release> release() override { co_return Release::yes; }
};

// Idea: the same, without asking: a stopwatch tells how long the lease has run.
template <int percent>
struct LeaseInMemory final : TokenLock {
    using TokenLock::TokenLock;
    Task<Release> release() override { co_return Release::yes; }
    Token new_token() override { return is_kept() ? token_ : client_.fresh_token(); }
    Task<Reply> take() override {
        if (is_kept()) co_return Reply::ok();
        until_ = MonotonicTime();
        const MonotonicTime end = client_.monotonic() + options_.ttl * percent / 100;
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        if (set.is_ok()) until_ = end;
        co_return set;
    }
    bool is_kept() { return until_ != MonotonicTime() && client_.monotonic() < until_; }

    MonotonicTime until_;  ///< none: it has no lease
};

// Idea: the watchdog writes the token again, where there is a key.
// Mistake: SET without a time takes the time to live away that the key had.
struct RenewalTakesTheTtl final : WatchedLock {
    using WatchedLock::WatchedLock;
    Task<Reply> renew() override {
        const Reply set = co_await client_.command("SET", key_, token_, "XX");
        co_return set.is_ok() ? Reply::integer(1) : set;
    }
};

constexpr Script kOwnAndCount{"own_and_count",
                              "if redis.call('hsetnx', KEYS[1], 'owner', ARGV[1]) == 0 "
                              "then return 0 end "
                              "redis.call('pexpire', KEYS[1], ARGV[2]) "
                              "return redis.call('hincrby', KEYS[1], 'fence', 1)"};
constexpr Script kFreeAll{"free_all",
                          "if redis.call('hget', KEYS[1], 'owner') ~= ARGV[1] then return 0 end "
                          "return redis.call('del', KEYS[1])"};
constexpr Script kFreeOwner{"free_owner",
                            "if redis.call('hget', KEYS[1], 'owner') ~= ARGV[1] then return 0 end "
                            "redis.call('persist', KEYS[1]) "
                            "return redis.call('hdel', KEYS[1], 'owner')"};

// Idea: owner and fencing token are two fields of the lock's hash.
// Mistake: what ends the lock ends the count: a release, or, where that keeps it, the lease.
template <const Script& free>
using FenceInTheLock = FreedBy<free, DrawnBy<kOwnAndCount>>;

void have_a_stopwatch(Entry& entry) { entry.algorithm.reads_monotonic_clock = true; }
void have_fences(Entry& entry) { entry.algorithm.fences = true; }

}  // namespace

void add_stranger_leases(std::vector<Entry>& entries) {
    const Theme add(entries, kLease);
    const Theme timed(entries, kLease, have_a_stopwatch);
    const Theme fenced(entries, kLease, have_fences);
    const Theme watched(entries, kWatched);
    add.broken<KeepsItsLease>("keeps_its_lease", "set_nx_lua", {}, Cause::expired_while_held,
                              "A key that is found again has only what is left of its lease.");
    timed.broken<LeaseInMemory<100>>(
        "lease_in_memory", "set_nx_lua", {}, Cause::expired_while_held,
        "A job that begins near the end of a remembered lease outlives it.");
    timed.correct<LeaseInMemory<50>>(
        "half_a_lease_in_memory", "set_nx_lua",
        {contention, crash, lose_request, lose_reply, clock_offset, clock_jump},
        "A remembered lease is good for half its time, and a job takes less than the rest.");
    watched.stuck<RenewalTakesTheTtl>("renewal_takes_the_ttl", "watchdog_owned", {slow_job, crash},
                                      "SET XX without a time takes the key's time to live away.");
    fenced.broken<FenceInTheLock<kFreeAll>>(
        "fence_goes_with_the_lock", "fenced", {}, Cause::old_token,
        "The count is a field of the key that a release deletes.");
    fenced.broken<FenceInTheLock<kFreeOwner>>(
        "fence_goes_with_the_lease", "fenced", {crash}, Cause::old_token,
        "The count is a field of the key, and a lease that runs out takes it along.");
}

}  // namespace locklab::corpus
