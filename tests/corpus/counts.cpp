// Re-entrant locks: who counts how often its holder has taken it, and what becomes of the count.

#include "algorithms/reentrant_scripts.h"
#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using std::chrono::milliseconds;
using enum Hazard;

/// The parent is reentrant_watchdog without its watchdog: a hash from holder to count.
class CountLock : public Lock {
public:
    CountLock(Client& client, Key key, const LockOptions& options)
        : CountLock(client, std::move(key), options, client.fresh_token()) {}

    Task<Acquired> try_acquire() override {
        const Reply pttl = co_await client_.eval(lock_script(), key_, ttl_ms(), holder_);
        if (pttl.is_unknown()) co_return Unknown{};
        if (!pttl.is_nil()) co_return Refused{};
        co_return Grant{holder_, options_.ttl};
    }
    Task<Release> release() override {
        const Reply freed = co_await client_.eval(unlock_script(), key_, ttl_ms(), holder_);
        if (freed.is_unknown()) co_return Release::unknown;
        co_return freed.is_integer() ? Release::yes : Release::not_ours;
    }

protected:
    CountLock(Client& client, Key key, const LockOptions& options, Token holder)
        : client_(client), key_(std::move(key)), options_(options), holder_(std::move(holder)) {}

    virtual const Script& lock_script() const { return kReentrantLock; }
    virtual const Script& unlock_script() const { return kReentrantUnlock; }
    std::int64_t ttl_ms() const { return options_.ttl / milliseconds(1); }

    Client& client_;
    const Key key_;
    const LockOptions options_;
    const Token holder_;
};

constexpr Script kUnlockAtOnce{
    "unlock_at_once",
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end "
    "redis.call('hincrby', KEYS[1], ARGV[2], -1) "
    "redis.call('del', KEYS[1]) "
    "return 1"};

class InnerUnlockFrees final : public CountLock {
public:
    using CountLock::CountLock;

private:
    const Script& unlock_script() const override { return kUnlockAtOnce; }
};

constexpr Script kLockSetsOne{
    "lock_sets_one",
    "if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then "
    "redis.call('hset', KEYS[1], ARGV[2], 1) "
    "redis.call('pexpire', KEYS[1], ARGV[1]) "
    "return nil end "
    "return redis.call('pttl', KEYS[1])"};

class CountStaysOne final : public CountLock {
public:
    using CountLock::CountLock;

private:
    const Script& lock_script() const override { return kLockSetsOne; }
};

/// An off-by-one: 1 left is taken for none.
constexpr Script kUnlockBelowTwo{
    "unlock_below_two",
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end "
    "local count = redis.call('hincrby', KEYS[1], ARGV[2], -1) "
    "if count > 1 then return 0 end "
    "redis.call('del', KEYS[1]) "
    "return 1"};

class OffByOne final : public CountLock {
public:
    using CountLock::CountLock;

private:
    const Script& unlock_script() const override { return kUnlockBelowTwo; }
};

class HolderShared final : public CountLock {
public:
    HolderShared(Client& client, Key key, const LockOptions& options)
        : CountLock(client, std::move(key), options, Token{"worker"}) {}
};

class HolderIsClientNumber final : public CountLock {
public:
    HolderIsClientNumber(Client& client, Key key, const LockOptions& options)
        : CountLock(client, std::move(key), options,
                    Token{"client-" + std::to_string(client.id().value)}) {}
};

/// A count that is never freed, and takes its time to live with it.
constexpr Script kUnlockKeepsZero{
    "unlock_keeps_zero",
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end "
    "local count = redis.call('hincrby', KEYS[1], ARGV[2], -1) "
    "redis.call('persist', KEYS[1]) "
    "return count"};

class ZeroIsKept final : public CountLock {
public:
    using CountLock::CountLock;

private:
    const Script& unlock_script() const override { return kUnlockKeepsZero; }
};

/// Counts up by two and down by one.
constexpr Script kLockCountsTwo{
    "lock_counts_two",
    "if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then "
    "redis.call('hincrby', KEYS[1], ARGV[2], 1) "
    "redis.call('hincrby', KEYS[1], ARGV[2], 1) "
    "redis.call('persist', KEYS[1]) "
    "return nil end "
    "return 1"};

class CountsTwo final : public CountLock {
public:
    using CountLock::CountLock;

private:
    const Script& lock_script() const override { return kLockCountsTwo; }
};

/// Redis knows of one lock; how often it was taken only the client knows.
class CountsInClient : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Acquired> try_acquire() override {
        if (holds_ > 0) {
            ++holds_;
            return again();
        }
        return first();
    }
    Task<Release> release() override {
        if (--holds_ > 0) return still_held();
        return TokenLock::release();
    }

protected:
    void granted() override { holds_ = 1; }
    Task<Acquired> first() {
        token_ = new_token();
        const Reply reply = co_await take();
        if (reply.is_unknown()) co_return Unknown{};
        if (!reply.is_ok()) co_return Refused{};
        granted();
        co_return Grant{token_, options_.ttl};
    }
    Task<Acquired> again() { co_return Grant{token_, options_.ttl}; }
    Task<Release> still_held() { co_return Release::yes; }
    int holds_ = 0;
};

/// Sets the count where it should add to it.
class ClientForgetsCount final : public CountsInClient {
public:
    using CountsInClient::CountsInClient;

    Task<Acquired> try_acquire() override {
        if (holds_ > 0) {
            holds_ = 1;
            return again();
        }
        return first();
    }
};

/// The inner release is given the outer one's work.
class InnerReleaseDeletes final : public CountsInClient {
public:
    using CountsInClient::CountsInClient;

    Task<Release> release() override {
        holds_ = 0;
        return TokenLock::release();
    }
};

/// A flag of the process, not of the client that took the lock: whoever asks is let in again.
class AsksWhetherHeld final : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Acquired> try_acquire() override {
        const Reply held = co_await client_.command("EXISTS", key_);
        if (held.is_unknown()) co_return Unknown{};
        if (held.is_integer(1) && was_mine_) co_return Grant{token_, options_.ttl};
        token_ = new_token();
        const Reply reply = co_await take();
        if (reply.is_unknown()) co_return Unknown{};
        if (!reply.is_ok()) co_return Refused{};
        was_mine_ = true;
        co_return Grant{token_, options_.ttl};
    }

private:
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

class FieldForEachDepth final : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Acquired> try_acquire() override {
        const Token mine = client_.fresh_token();
        const Token outer = depths_.empty() ? Token{} : depths_.front();
        const Reply reply = co_await client_.eval(kLockField, key_, mine, ttl_ms(), outer);
        if (reply.is_unknown()) co_return Unknown{};
        if (!reply.is_integer(1)) co_return Refused{};
        depths_.push_back(mine);
        co_return Grant{mine, options_.ttl};
    }
    Task<Release> release() override {
        const Token mine = depths_.back();
        depths_.pop_back();
        const Reply reply = co_await client_.eval(kUnlockField, key_, mine);
        if (reply.is_unknown()) co_return Release::unknown;
        co_return reply.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    std::vector<Token> depths_;
};

}  // namespace

void add_counts(std::vector<Entry>& entries) {
    const LockOptions& options = kLease;
    entries.push_back(reentrant_broken("inner_unlock_frees", "reentrant_watchdog", {},
                                       Cause::token_collision,
                                       "An unlock deletes the hash, whatever is left of its count.",
                                       options, make<InnerUnlockFrees>));
    entries.push_back(reentrant_broken(
        "count_stays_one", "reentrant_watchdog", {}, Cause::token_collision,
        "HSET writes a count of 1 where HINCRBY would add.", options, make<CountStaysOne>));
    entries.push_back(
        reentrant_broken("off_by_one", "reentrant_watchdog", {}, Cause::token_collision,
                         "The unlock frees while the count is still 1.", options, make<OffByOne>));
    entries.push_back(reentrant_broken(
        "holder_shared", "reentrant_watchdog", {}, Cause::token_collision,
        "All clients have the same holder, so everybody re-enters.", options, make<HolderShared>));
    entries.push_back(reentrant_stuck("zero_is_kept", "reentrant_watchdog", {crash},
                                      "The unlock leaves a count of 0, without a time to live.",
                                      options, make<ZeroIsKept>));
    entries.push_back(reentrant_stuck("counts_two", "reentrant_watchdog", {crash},
                                      "The lock counts up by two, the unlock down by one.", options,
                                      make<CountsTwo>));
    entries.push_back(reentrant_broken(
        "client_forgets_count", "counts_in_client", {}, Cause::token_collision,
        "The client sets its count to 1 where it should add.", options, make<ClientForgetsCount>));
    entries.push_back(reentrant_broken(
        "inner_release_deletes", "counts_in_client", {}, Cause::token_collision,
        "The client frees the lock at its inner release.", options, make<InnerReleaseDeletes>));
    entries.push_back(reentrant_broken(
        "asks_whether_held", "reentrant_watchdog", {}, Cause::token_collision,
        "Who had the lock once takes any key for its own.", options, make<AsksWhetherHeld>));
    const std::vector<Hazard> survived{crash, lose_request, lose_reply, clock_offset, clock_jump};
    entries.push_back(reentrant_correct("holder_is_client_number", "reentrant_watchdog", survived,
                                        "A client's number names its holder, and no other's.",
                                        options, make<HolderIsClientNumber>));
    entries.push_back(reentrant_correct("counts_in_client", "reentrant_watchdog", survived,
                                        "Redis knows of one lock, and the client counts.", options,
                                        make<CountsInClient>));
    entries.push_back(reentrant_correct("field_for_each_depth", "reentrant_watchdog", survived,
                                        "Each time that it is taken is a field of its own.",
                                        options, make<FieldForEachDepth>));
}

}  // namespace locklab::corpus
