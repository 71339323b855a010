// Locks put together as no article does it: tokens of two parts, hashes of several fields, a second
// key, reads before conditional scripts, releases that let the key run out.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

/// "client:token": who it is, and which of its grants.
struct TwoParts : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override { return Token{number() + ":" + client_.fresh_token().text}; }
};

constexpr Script kDeleteOfClient{
    "delete_of_client",
    "local holder = redis.call('get', KEYS[1]) "
    "if holder and string.match(holder, '^[^:]*') == string.match(ARGV[1], '^[^:]*') "
    "then return redis.call('del', KEYS[1]) else return 0 end"};

/// Compares who, and not which.
using ComparesFirstPart = FreedBy<kDeleteOfClient, TwoParts>;

/// XX: only where there is a key, whosever it is.
struct RenewsWithXx final : WatchedLock {
    using WatchedLock::WatchedLock;
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
using FadesOut = FreedBy<kFadeOut>;

constexpr Script kTakeIfFree{"take_if_free",
                             "if redis.call('exists', KEYS[1]) == 1 then return 0 end "
                             "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) "
                             "return 1"};
constexpr Script kTakeAnyhow{"take_anyhow",
                             "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) "
                             "return 1"};

/// GET spares the script where somebody has the lock.
template <const Script& script>
struct LooksThenAsks final : TakenBy<script> {
    using TakenBy<script>::TakenBy;
    Task<Reply> take() override {
        const Reply holder = co_await this->client_.command("GET", this->key_);
        if (!holder.is_nil()) co_return holder;
        Reply reply = co_await TakenBy<script>::take();
        co_return reply;
    }
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
using LeavesOtherFields = TwoScripts<kTakeField, kClearField>;

/// A second key guards the first while that is written, and has no time to live.
struct GuardWithoutTtl final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply guarded = co_await client_.command("SETNX", guard_, token_);
        if (!guarded.is_integer(1)) co_return guarded;
        const Reply set = co_await TokenLock::take();
        co_await client_.command("DEL", guard_);
        co_return set;
    }
    const Key guard_{key_.name + ":guard"};
};

/// One token for a round: who was not told finds the key that is its own.
template <class Base>
struct OneTokenForARound final : Base {
    using Base::Base;
    Token new_token() override {
        return std::exchange(asked_, true) ? this->token_ : this->client_.fresh_token();
    }
    void granted() override { asked_ = false; }
    bool asked_ = false;
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
struct CountsFromZero final : TwoScripts<kEnterFromZero, kLeaveBelowZero> {
    using FreedBy::FreedBy;
    Token new_token() override { return token_.text.empty() ? client_.fresh_token() : token_; }
};

/// The token is part of the name of a key of its own, which becomes the lock's.
template <bool has_ttl>
struct RenamedIntoPlace final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply made = co_await make();
        if (made.is_unknown()) co_return made;
        const Reply moved = co_await client_.command("RENAMENX", Key{own_name()}, key_);
        if (moved.is_unknown() || moved.is_integer(1)) co_return moved;
        const Reply gone = co_await client_.command("DEL", Key{own_name()});
        co_return gone.is_unknown() ? gone : Reply::nil();
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> make() {
        if (has_ttl) {
            co_return co_await client_.command("SET", Key{own_name()}, token_, "PX", ttl_ms());
        }
        co_return co_await client_.command("SET", Key{own_name()}, token_);
    }
    std::string own_name() const { return key_.name + ":" + token_.text; }
};

constexpr Script kTakeIfLess{"take_if_less",
                             "local held = redis.call('get', KEYS[1]) "
                             "if held and held <= ARGV[1] then return 0 end "
                             "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) "
                             "return 1"};

constexpr Script kTakeIfTailIsGreater{
    "take_if_tail_is_greater",
    "local held = redis.call('get', KEYS[1]) "
    "if held and string.sub(held, -8) >= string.sub(ARGV[1], -8) then return 0 end "
    "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) "
    "return 1"};

/// A script that is sent where there was no answer, and then only.
struct LooksIntoSilence final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply set = co_await TokenLock::take();
        if (!set.is_unknown()) co_return set;
        const Reply found = co_await client_.eval(kCompareAndExtend, key_, token_, ttl_ms());
        if (found.is_unknown()) co_return found;
        co_return found.is_integer(1) ? Reply::ok() : Reply::nil();
    }
};

}  // namespace

void add_odds(std::vector<Entry>& entries) {
    const Theme add(entries, kLease);
    const Theme watched(entries, kWatched);
    add.broken<ComparesFirstPart>("compares_first_part", "set_nx_lua", {delay_request},
                                  Cause::foreign_delete,
                                  "The release compares the client and not its grant, so one that "
                                  "arrives late frees the next grant of the same client.");
    watched.correct<RenewsWithXx>("renews_with_xx", "watchdog_owned",
                                  {slow_job, crash, lose_request, delay_request},
                                  "SET XX renews whosever key it is, and makes none: what is "
                                  "written over the next holder's key runs out.");
    add.broken<OneTokenForARound<TakesItsOwn<>>>(
        "takes_what_is_left", "set_nx_lua", {lose_reply}, Cause::late_reply,
        "Who was not told finds its own key, and takes what is left of it for a whole lease.");
    add.broken<LooksThenAsks<kTakeAnyhow>>(
        "looks_then_takes", "set_nx_lua", {}, Cause::overwritten,
        "GET looks, and a script takes what another may have by then.");
    add.stuck<GuardWithoutTtl>(
        "guard_without_ttl", "set_nx_lua", {crash},
        "A second key without a time to live guards the first, and its client crashes.");
    add.broken<TakenBy<kTakeIfLess>>("lesser_token", "set_nx_lua", {}, Cause::overwritten,
                                     "Who has the lesser token takes the lock over.");
    add.broken<TakenBy<kTakeIfTailIsGreater>>(
        "greater_tail", "set_nx_lua", {}, Cause::overwritten,
        "Who has the greater last eight digits takes the lock over.");
    add.correct<LooksIntoSilence>("looks_into_silence", "set_nx_lua", calm(),
                                  "Who has no answer extends what is its own, if it is there.");
    Theme(entries, kNoExpiry)
        .correct<RenamedIntoPlace<false>>("renamed_into_place", "setnx_del", calm_without_ttl(),
                                          "RENAMENX moves a key of its own to the lock's place.");
    add.correct<RenamedIntoPlace<true>>("renamed_with_its_ttl", "set_nx_lua", calm(),
                                        "The same with a time to live, which moves with the key.");
    add.correct<TwoParts>("two_parts", "set_nx_lua", calm(),
                          "A token of two parts, compared as a whole.");
    add.correct<FadesOut>("fades_out", "set_nx_lua", calm(),
                          "The release leaves an empty value for a millisecond.");
    add.correct<LooksThenAsks<kTakeIfFree>>("looks_then_asks", "set_nx_lua", calm(),
                                            "GET looks, and a script looks again before it takes.");
    add.correct<LeavesOtherFields>("leaves_other_fields", "set_nx_lua", calm(),
                                   "A hash outlives its owner, and the next owner moves in.");
    add.correct<OneTokenForARound<FindsItsOwn<>>>(
        "knows_its_own", "set_nx_lua", calm(),
        "Who was not told that it has the lock extends what is its own.");
    Theme(entries, kLease, reentrant)
        .correct<CountsFromZero>("counts_from_zero", "reentrant_watchdog", calm_in_time(),
                                 "The count is how often it was taken again.");
}

}  // namespace locklab::corpus
