// Locks by a stranger: who counts, and what.
#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

constexpr Script kCountIn{
    "counts_count_in",
    "if redis.call('exists', KEYS[1]) == 1 and redis.call('hexists', KEYS[1], ARGV[1]) == 0 "
    "then return 0 end "
    "local count = redis.call('hincrby', KEYS[1], ARGV[1], 1) "
    "redis.call('pexpire', KEYS[1], ARGV[2]) return count"};

constexpr Script kCountOut{"counts_count_out",
                           "if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return -1 end "
                           "local count = redis.call('hincrby', KEYS[1], ARGV[1], -1) "
                           "if count > 0 then return count end "
                           "redis.call('del', KEYS[1]) return 0"};

constexpr Script kExtendIfCounted{
    "counts_extend_if_counted",
    "if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end "
    "return redis.call('pexpire', KEYS[1], ARGV[2])"};

constexpr Script kSetDepth{"counts_set_depth",
                           "local owner = redis.call('hget', KEYS[1], 'owner') "
                           "if owner and owner ~= ARGV[1] then return 0 end "
                           "if not owner and ARGV[2] ~= '1' then return 0 end "
                           "redis.call('hset', KEYS[1], 'owner', ARGV[1]) "
                           "redis.call('hset', KEYS[1], 'depth', ARGV[2]) "
                           "redis.call('pexpire', KEYS[1], ARGV[3]) return 1"};

constexpr Script kLowerDepth{"counts_lower_depth",
                             "if redis.call('hget', KEYS[1], 'owner') ~= ARGV[1] then return 0 end "
                             "if ARGV[2] == '0' then return redis.call('del', KEYS[1]) end "
                             "redis.call('hset', KEYS[1], 'depth', ARGV[2]) return 1"};

constexpr Script kExtendIfOwner{
    "counts_extend_if_owner",
    "if redis.call('hget', KEYS[1], 'owner') ~= ARGV[1] then return 0 end "
    "return redis.call('pexpire', KEYS[1], ARGV[2])"};

/// Counts how often it was taken, and takes and gives back each time.
struct DeepLock : WatchedLock {
    using WatchedLock::WatchedLock;
    Token new_token() override { return depth_ == 0 ? client_.fresh_token() : token_; }
    void granted() override {
        if (++depth_ == 1) WatchedLock::granted();
    }
    Task<Release> release() override {
        if (--depth_ == 0) stop_watching();
        return TokenLock::release();
    }
    int depth_ = 0;
};

// Idea: the server counts: a hash of holder and depth, up by HINCRBY 1, down by HINCRBY -1.
// Mistake: A's inner way out is sent again: 2, 1, 0, key deleted, B in while A's outer job runs.
struct CountsOnTheServer final
    : RenewedBy<kExtendIfCounted, TwoScripts<kCountIn, kCountOut, DeepLock>> {
    using RenewedBy::RenewedBy;
    bool took(const Reply& count) override { return count.as_integer() >= 1; }
    bool gave_back(const Reply& count) override {
        return count.is_integer() && count.as_integer() >= 0;
    }
};

// Idea: the client counts; only the outermost way in and way out send a command.
// Mistake: A's DEL runs, its reply is lost, depth stays 1, B in, A re-enters without a key.
struct DepthStays final : WatchedLock {
    using WatchedLock::WatchedLock;
    Task<Acquired> try_acquire() override {
        if (depth_ == 0) return WatchedLock::try_acquire();
        ++depth_;
        return still_held();
    }
    void granted() override {
        depth_ = 1;
        WatchedLock::granted();
    }
    Task<Release> release() override {
        if (depth_ > 1) {
            --depth_;
            co_return Release::yes;
        }
        const Release outcome = co_await WatchedLock::release();
        if (outcome != Release::unknown) depth_ = 0;
        co_return outcome;
    }
    Task<Acquired> still_held() { co_return Grant{token_, options_.ttl}; }
    int depth_ = 0;
};

// Idea: INCR takes a number; up to 1 is in (late DECRs may have left it low), 2 counts back.
// Mistake: release is DEL, not DECR: B counts 2, A's DEL, B back to -1, C counts 0, B counts 1: in.
struct CountsBackTooFar final : Deleted<> {
    using Deleted::Deleted;
    Token new_token() override { return Token{"counted"}; }
    Task<Reply> take() override {
        const Reply count = co_await client_.command("INCR", key_);
        if (count.is_unknown()) co_return count;
        if (count.as_integer() > 1) {
            co_await client_.command("DECR", key_);
            co_return Reply::nil();
        }
        co_await client_.command("PEXPIRE", key_, ttl_ms());
        co_return Reply::ok();
    }
};

// Idea: the server keeps the depth, but the client sends which depth it is to be, not +1 and -1.
// Mistake: none: a command that runs twice sets the same depth.
struct SendsItsDepth final : RenewedBy<kExtendIfOwner, DeepLock> {
    using RenewedBy::RenewedBy;
    Task<Reply> take() override { return run(kSetDepth, key_, token_, depth_ + 1, ttl_ms()); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override { return run(kLowerDepth, key_, token_, depth_); }
};

}  // namespace

void add_stranger_counts(std::vector<Entry>& entries) {
    const Theme watched(entries, kWatchedSeconds, reentrant);
    const Theme add(entries, kSeconds);
    watched.broken<CountsOnTheServer>("counts_on_the_server", "sends_its_depth", {retry},
                                      Cause::no_key,
                                      "An inner release sent again counts down to nought and "
                                      "deletes the key under the outer job.");
    watched.broken<DepthStays>("depth_stays", "reentrant_watchdog", {lose_reply}, Cause::no_key,
                               "After a release without an answer the client still counts 1 and "
                               "enters again without a command.");
    add.broken<CountsBackTooFar>("counts_back_too_far", "set_nx_del", {contention},
                                 Cause::overwritten,
                                 "The refused client's DECR comes after the holder's DEL, so two "
                                 "of the next INCRs are at most 1.");
    watched.correct<SendsItsDepth>(
        "sends_its_depth", "reentrant_watchdog",
        {contention, crash, lose_request, lose_reply, clock_offset, clock_jump, retry, slow_job},
        "The depth is kept on the server, and each command says which depth it is to be.");
}

}  // namespace locklab::corpus
