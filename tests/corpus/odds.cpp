// Locks put together as no article does it: tokens of two parts, hashes of several fields, a second
// key, reads before conditional scripts, releases that let the key run out.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

/// "client:token": who it is, and which of its grants.
class TwoParts final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override {
        return Token{std::to_string(client_.id().value) + ":" + client_.fresh_token().text};
    }
};

constexpr Script kDeleteOfClient{
    "delete_of_client",
    "local holder = redis.call('get', KEYS[1]) "
    "if holder and string.match(holder, '^[^:]*') == string.match(ARGV[1], '^[^:]*') "
    "then return redis.call('del', KEYS[1]) else return 0 end"};

/// Compares who, and not which.
class ComparesFirstPart final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override {
        return Token{std::to_string(client_.id().value) + ":" + client_.fresh_token().text};
    }
    Task<Reply> give_back() override {
        const Reply reply = co_await client_.eval(kDeleteOfClient, key_, token_);
        co_return reply;
    }
};

/// XX: only where there is a key, whosever it is.
class RenewsWithXx final : public WatchedLock {
public:
    using WatchedLock::WatchedLock;

private:
    Task<Reply> renew() override {
        const Reply set = co_await client_.command("SET", key_, token_, "XX", "PX", ttl_ms());
        if (set.is_unknown()) co_return set;
        co_return Reply::integer(set.is_ok() ? 1 : 0);
    }
};

constexpr Script kFadeOut{"fade_out",
                          "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                          "redis.call('set', KEYS[1], '', 'PX', 1) "
                          "return 1"};

/// No DEL: an empty value that is gone a millisecond later.
class FadesOut final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> give_back() override {
        const Reply reply = co_await client_.eval(kFadeOut, key_, token_);
        co_return reply;
    }
};

constexpr Script kTakeIfFree{"take_if_free",
                             "if redis.call('exists', KEYS[1]) == 1 then return 0 end "
                             "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) "
                             "return 1"};
constexpr Script kTakeAnyhow{"take_anyhow",
                             "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) "
                             "return 1"};

/// GET spares the script where somebody has the lock.
class LooksThenAsks : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override {
        const Reply holder = co_await client_.command("GET", key_);
        if (!holder.is_nil()) co_return holder;
        const Reply reply = co_await client_.eval(script(), key_, token_, ttl_ms());
        co_return reply;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    virtual const Script& script() const { return kTakeIfFree; }
};

/// The script trusts what GET has said.
class LooksThenTakes final : public LooksThenAsks {
public:
    using LooksThenAsks::LooksThenAsks;

private:
    const Script& script() const override { return kTakeAnyhow; }
};

constexpr Script kTakeField{"take_field",
                            "if redis.call('hsetnx', KEYS[1], 'owner', ARGV[1]) == 0 "
                            "then return 0 end "
                            "redis.call('hincrby', KEYS[1], 'grants', 1) "
                            "redis.call('hset', KEYS[1], 'lease', ARGV[2]) "
                            "redis.call('pexpire', KEYS[1], ARGV[2]) "
                            "return 1"};
constexpr Script kClearField{"clear_field",
                             "if redis.call('hget', KEYS[1], 'owner') ~= ARGV[1] "
                             "then return 0 end "
                             "return redis.call('hdel', KEYS[1], 'owner')"};

/// A hash outlives its owner: how many grants there were, and for how long.
class LeavesOtherFields final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply reply = co_await client_.eval(kTakeField, key_, token_, ttl_ms());
        co_return reply;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override {
        const Reply reply = co_await client_.eval(kClearField, key_, token_);
        co_return reply;
    }
};

/// A second key guards the first while that is written, and has no time to live.
class GuardWithoutTtl final : public TokenLock {
public:
    GuardWithoutTtl(Client& client, Key key, const LockOptions& options)
        : TokenLock(client, std::move(key), options), guard_{key_.name + ":guard"} {}

private:
    Task<Reply> take() override {
        const Reply guarded = co_await client_.command("SETNX", guard_, token_);
        if (!guarded.is_integer(1)) co_return guarded;
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        co_await client_.command("DEL", guard_);
        co_return set;
    }
    const Key guard_;
};

/// One token for a round: who was not told extends the key if it is its own.
class KnowsItsOwn : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override { return asked_ ? token_ : client_.fresh_token(); }
    Task<Reply> take() override {
        asked_ = true;
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        if (set.is_unknown() || set.is_ok()) co_return set;
        const Reply found = co_await find_own();
        if (found.is_unknown()) co_return found;
        co_return found.is_integer(1) ? Reply::ok() : Reply::nil();
    }
    void granted() override { asked_ = false; }
    virtual Task<Reply> find_own() {
        const Reply reply = co_await client_.eval(kCompareAndExtend, key_, token_, ttl_ms());
        co_return reply;
    }
    bool asked_ = false;
};

/// Its own key, however old it is.
class TakesWhatIsLeft final : public KnowsItsOwn {
public:
    using KnowsItsOwn::KnowsItsOwn;

private:
    Task<Reply> find_own() override {
        const Reply holder = co_await client_.command("GET", key_);
        if (holder.is_unknown()) co_return holder;
        co_return Reply::integer(holder.text() == token_.text ? 1 : 0);
    }
};

constexpr Script kEnterFromZero{
    "enter_from_zero",
    "if redis.call('exists', KEYS[1]) == 0 then redis.call('hset', KEYS[1], ARGV[1], 0) "
    "elseif redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 "
    "else redis.call('hincrby', KEYS[1], ARGV[1], 1) end "
    "redis.call('pexpire', KEYS[1], ARGV[2]) "
    "return 1"};
constexpr Script kLeaveBelowZero{
    "leave_below_zero",
    "if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end "
    "if redis.call('hincrby', KEYS[1], ARGV[1], -1) < 0 then redis.call('del', KEYS[1]) end "
    "return 1"};

/// Counts how often it was taken again: the last leaves at minus one.
class CountsFromZero final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override { return token_.text.empty() ? client_.fresh_token() : token_; }
    Task<Reply> take() override {
        const Reply reply = co_await client_.eval(kEnterFromZero, key_, token_, ttl_ms());
        co_return reply;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override {
        const Reply reply = co_await client_.eval(kLeaveBelowZero, key_, token_);
        co_return reply;
    }
};

}  // namespace

void add_odds(std::vector<Entry>& entries) {
    const std::vector<Hazard> calm{crash, lose_request, lose_reply, delay_request,
                                   retry, clock_offset, clock_jump};
    const std::vector<Hazard> survived{crash, lose_request, lose_reply, clock_offset, clock_jump};
    entries.push_back(broken("compares_first_part", "set_nx_lua", {delay_request},
                             Cause::foreign_delete,
                             "The release compares the client and not its grant, so one that "
                             "arrives late frees the next grant of the same client.",
                             kLease, make<ComparesFirstPart>));
    entries.push_back(correct("renews_with_xx", "watchdog_owned",
                              {slow_job, crash, lose_request, delay_request},
                              "SET XX renews whosever key it is, and makes none: what is written "
                              "over the next holder's key runs out.",
                              kWatched, make<RenewsWithXx>));
    entries.push_back(broken("takes_what_is_left", "set_nx_lua", {lose_reply}, Cause::late_reply,
                             "Who was not told finds its own key, and takes what is left of it "
                             "for a whole lease.",
                             kLease, make<TakesWhatIsLeft>));
    entries.push_back(broken("looks_then_takes", "set_nx_lua", {}, Cause::overwritten,
                             "GET looks, and a script takes what another may have by then.", kLease,
                             make<LooksThenTakes>));
    entries.push_back(stuck("guard_without_ttl", "set_nx_lua", {crash},
                            "A second key without a time to live guards the first, and its "
                            "client crashes.",
                            kLease, make<GuardWithoutTtl>));
    entries.push_back(correct("two_parts", "set_nx_lua", calm,
                              "A token of two parts, compared as a whole.", kLease,
                              make<TwoParts>));
    entries.push_back(correct("fades_out", "set_nx_lua", calm,
                              "The release leaves an empty value for a millisecond.", kLease,
                              make<FadesOut>));
    entries.push_back(correct("looks_then_asks", "set_nx_lua", calm,
                              "GET looks, and a script looks again before it takes.", kLease,
                              make<LooksThenAsks>));
    entries.push_back(correct("leaves_other_fields", "set_nx_lua", calm,
                              "A hash outlives its owner, and the next owner moves in.", kLease,
                              make<LeavesOtherFields>));
    entries.push_back(correct("knows_its_own", "set_nx_lua", calm,
                              "Who was not told that it has the lock extends what is its own.",
                              kLease, make<KnowsItsOwn>));
    entries.push_back(reentrant_correct("counts_from_zero", "reentrant_watchdog", survived,
                                        "The count is how often it was taken again.", kLease,
                                        make<CountsFromZero>));
}

}  // namespace locklab::corpus
