// Locks of somebody who had not read the code: what they keep from one round to the next, a lease
// or a fencing token, and how long it is good for.
#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

// Idea: whoever had the lock last takes it again without a new key, as lease caches do.
// Mistake: the key that is found again has only what is left of its first lease.
class KeepsItsLease final : public TokenLock {
public:
    KeepsItsLease(Client& client, Key key, const LockOptions& options)
        : TokenLock(client, std::move(key), options), name_(client.fresh_token()) {}
    Task<Release> release() override { co_return Release::yes; }

protected:
    Token new_token() override { return name_; }
    Task<Reply> take() override {
        const Reply set = co_await client_.command("SET", key_, name_, "NX", "PX", ttl_ms());
        if (set.is_unknown() || set.is_ok()) co_return set;
        const Reply held = co_await client_.command("GET", key_);
        if (held.is_unknown()) co_return held;
        co_return held.text() == name_.text ? Reply::ok() : Reply::nil();
    }

private:
    const Token name_;
};

// Idea: the same, without asking: a stopwatch tells how long the lease has run.
template <int percent>
class LeaseInMemory final : public TokenLock {
public:
    using TokenLock::TokenLock;
    Task<Release> release() override { co_return Release::yes; }

protected:
    Token new_token() override { return is_kept() ? token_ : client_.fresh_token(); }
    Task<Reply> take() override {
        if (is_kept()) co_return Reply::ok();
        until_ = MonotonicTime();
        const MonotonicTime end = client_.monotonic() + options_.ttl * percent / 100;
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        if (set.is_ok()) until_ = end;
        co_return set;
    }

private:
    bool is_kept() { return until_ != MonotonicTime() && client_.monotonic() < until_; }

    MonotonicTime until_;  ///< none: it has no lease
};

// Idea: the watchdog writes the token again, where there is a key.
// Mistake: SET without a time takes the time to live away that the key had.
class RenewalTakesTheTtl final : public WatchedLock {
public:
    using WatchedLock::WatchedLock;

protected:
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
class FenceInTheLock final : public TokenLock {
public:
    using TokenLock::TokenLock;
    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply drawn = co_await client_.eval(kOwnAndCount, key_, token_, ttl_ms());
        if (drawn.failed()) co_return Failed{drawn};
        if (drawn.is_integer(0)) co_return Refused{};
        co_return Grant{token_, options_.ttl, static_cast<std::uint64_t>(drawn.as_integer())};
    }

protected:
    Task<Reply> give_back() override {
        const Reply freed = co_await client_.eval(free, key_, token_);
        co_return freed;
    }
};

Entry with_stopwatch(Entry entry) {
    entry.algorithm.reads_monotonic_clock = true;
    return entry;
}

Entry with_fence(Entry entry) {
    entry.algorithm.fences = true;
    return entry;
}

}  // namespace

void add_stranger_leases(std::vector<Entry>& entries) {
    entries.push_back(broken("keeps_its_lease", "set_nx_lua", {}, Cause::expired_while_held,
                             "A key that is found again has only what is left of its lease.",
                             kLease, make<KeepsItsLease>));
    entries.push_back(
        with_stopwatch(broken("lease_in_memory", "set_nx_lua", {}, Cause::expired_while_held,
                              "A job that begins near the end of a remembered lease outlives it.",
                              kLease, make<LeaseInMemory<100>>)));
    entries.push_back(with_stopwatch(
        correct("half_a_lease_in_memory", "set_nx_lua",
                {contention, crash, lose_request, lose_reply, clock_offset, clock_jump},
                "A remembered lease is good for half its time, and a job takes less than the rest.",
                kLease, make<LeaseInMemory<50>>)));
    entries.push_back(stuck("renewal_takes_the_ttl", "watchdog_owned", {slow_job, crash},
                            "SET XX without a time takes the key's time to live away.", kWatched,
                            make<RenewalTakesTheTtl>));
    entries.push_back(with_fence(broken("fence_goes_with_the_lock", "fenced", {}, Cause::old_token,
                                        "The count is a field of the key that a release deletes.",
                                        kLease, make<FenceInTheLock<kFreeAll>>)));
    entries.push_back(with_fence(
        broken("fence_goes_with_the_lease", "fenced", {crash}, Cause::old_token,
               "The count is a field of the key, and a lease that runs out takes it along.", kLease,
               make<FenceInTheLock<kFreeOwner>>)));
}

}  // namespace locklab::corpus
