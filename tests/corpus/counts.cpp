// Re-entrant locks: who counts how often its holder has taken it, and what becomes of the count.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

constexpr Script kUnlockAtOnce{
    "unlock_at_once",
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end "
    "redis.call('hincrby', KEYS[1], ARGV[2], -1) "
    "redis.call('del', KEYS[1]) "
    "return 1"};

constexpr Script kLockSetsOne{
    "lock_sets_one",
    "if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then "
    "redis.call('hset', KEYS[1], ARGV[2], 1) "
    "redis.call('pexpire', KEYS[1], ARGV[1]) "
    "return nil end "
    "return redis.call('pttl', KEYS[1])"};

/// An off-by-one: 1 left is taken for none.
constexpr Script kUnlockBelowTwo{
    "unlock_below_two",
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end "
    "local count = redis.call('hincrby', KEYS[1], ARGV[2], -1) "
    "if count > 1 then return 0 end "
    "redis.call('del', KEYS[1]) "
    "return 1"};

struct HolderShared final : CountLock<> {
    using CountLock::CountLock;
    Token new_token() override { return Token{"worker"}; }
};

struct HolderIsClientNumber final : CountLock<> {
    using CountLock::CountLock;
    Token new_token() override { return Token{"client-" + number()}; }
};

/// A count that is never freed, and takes its time to live with it.
constexpr Script kUnlockKeepsZero{
    "unlock_keeps_zero",
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end "
    "local count = redis.call('hincrby', KEYS[1], ARGV[2], -1) "
    "redis.call('persist', KEYS[1]) "
    "return count"};

/// Counts up by two and down by one.
constexpr Script kLockCountsTwo{
    "lock_counts_two",
    "if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then "
    "redis.call('hincrby', KEYS[1], ARGV[2], 1) "
    "redis.call('hincrby', KEYS[1], ARGV[2], 1) "
    "redis.call('persist', KEYS[1]) "
    "return nil end "
    "return 1"};

/// Redis knows of one lock; how often it was taken only the client knows.
struct CountsInClient : TokenLock {
    using TokenLock::TokenLock;
    Task<Acquired> try_acquire() override {
        if (holds_ <= 0) return TokenLock::try_acquire();
        take_again();
        return still_held();
    }
    Task<Release> release() override { return --holds_ > 0 ? kept() : TokenLock::release(); }
    void granted() override { holds_ = 1; }
    virtual void take_again() { ++holds_; }
    Task<Acquired> still_held() { co_return Grant{token_, options_.ttl}; }
    Task<Release> kept() { co_return Release::yes; }
    int holds_ = 0;
};

/// Sets the count where it should add to it.
struct ClientForgetsCount final : CountsInClient {
    using CountsInClient::CountsInClient;
    void take_again() override { holds_ = 1; }
};

/// The inner release is given the outer one's work.
struct InnerReleaseDeletes final : CountsInClient {
    using CountsInClient::CountsInClient;
    Task<Release> release() override {
        holds_ = 0;
        return TokenLock::release();
    }
};

/// A flag of the process, not of the client that took the lock: whoever asks is let in again.
struct AsksWhetherHeld final : TokenLock {
    using TokenLock::TokenLock;
    Task<Acquired> try_acquire() override {
        const Reply held = co_await client_.command("EXISTS", key_);
        if (held.is_unknown()) co_return Unknown{};
        if (held.is_integer(1) && was_mine_) co_return Grant{token_, options_.ttl};
        Acquired acquired = co_await TokenLock::try_acquire();
        co_return acquired;
    }
    void granted() override { was_mine_ = true; }
    bool was_mine_ = false;
};

/// Takes the second lock with a name of its own, one for each depth.
constexpr Script kUnlockField{
    "unlock_field", "if redis.call('hdel', KEYS[1], ARGV[1]) == 1 then return 1 else return 0 end"};
constexpr Script kLockField{
    "lock_field",
    "if redis.call('exists', KEYS[1]) == 1 then "
    "if ARGV[3] == '' or redis.call('hexists', KEYS[1], ARGV[3]) == 0 then return 0 end end "
    "redis.call('hset', KEYS[1], ARGV[1], 1) "
    "redis.call('pexpire', KEYS[1], ARGV[2]) "
    "return 1"};

struct FieldForEachDepth final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Token outer = depths_.empty() ? Token{} : depths_.front();
        return run(kLockField, key_, token_, ttl_ms(), outer);
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    void granted() override { depths_.push_back(token_); }
    Task<Reply> give_back() override {
        const Token mine = depths_.back();
        depths_.pop_back();
        return run(kUnlockField, key_, mine);
    }
    std::vector<Token> depths_;
};

}  // namespace

void add_counts(std::vector<Entry>& entries) {
    const Theme add(entries, kLease, reentrant);
    add.broken<CountLock<kReentrantLock, kUnlockAtOnce>>(
        "inner_unlock_frees", "reentrant_watchdog", {}, Cause::token_collision,
        "An unlock deletes the hash, whatever is left of its count.");
    add.broken<CountLock<kLockSetsOne>>("count_stays_one", "reentrant_watchdog", {},
                                        Cause::token_collision,
                                        "HSET writes a count of 1 where HINCRBY would add.");
    add.broken<CountLock<kReentrantLock, kUnlockBelowTwo>>(
        "off_by_one", "reentrant_watchdog", {}, Cause::token_collision,
        "The unlock frees while the count is still 1.");
    add.broken<HolderShared>("holder_shared", "reentrant_watchdog", {}, Cause::token_collision,
                             "All clients have the same holder, so everybody re-enters.");
    add.stuck<CountLock<kReentrantLock, kUnlockKeepsZero>>(
        "zero_is_kept", "reentrant_watchdog", {crash},
        "The unlock leaves a count of 0, without a time to live.");
    add.stuck<CountLock<kLockCountsTwo>>("counts_two", "reentrant_watchdog", {crash},
                                         "The lock counts up by two, the unlock down by one.");
    add.broken<ClientForgetsCount>("client_forgets_count", "counts_in_client", {},
                                   Cause::token_collision,
                                   "The client sets its count to 1 where it should add.");
    add.broken<InnerReleaseDeletes>("inner_release_deletes", "counts_in_client", {},
                                    Cause::token_collision,
                                    "The client frees the lock at its inner release.");
    add.broken<AsksWhetherHeld>("asks_whether_held", "reentrant_watchdog", {},
                                Cause::token_collision,
                                "Who had the lock once takes any key for its own.");
    add.correct<HolderIsClientNumber>("holder_is_client_number", "reentrant_watchdog",
                                      calm_in_time(),
                                      "A client's number names its holder, and no other's.");
    add.correct<CountsInClient>("counts_in_client", "reentrant_watchdog", calm_in_time(),
                                "Redis knows of one lock, and the client counts.");
    add.correct<FieldForEachDepth>("field_for_each_depth", "reentrant_watchdog", calm_in_time(),
                                   "Each time that it is taken is a field of its own.");
}

}  // namespace locklab::corpus
