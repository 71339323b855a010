// Scripts of every shape: what Lua takes for true, in which order they act, and what they answer.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

constexpr Script kTakeIfNil{"take_if_nil",
                            "if redis.call('get', KEYS[1]) == nil then "
                            "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) return 1 end "
                            "return 0"};
constexpr Script kTakeUnlessExists{"take_unless_exists",
                                   "if redis.call('exists', KEYS[1]) then return 0 end "
                                   "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) return 1"};
constexpr Script kTakeIfSetnx{"take_if_setnx",
                              "if redis.call('setnx', KEYS[1], ARGV[1]) then "
                              "redis.call('pexpire', KEYS[1], ARGV[2]) return 1 end "
                              "return 0"};
constexpr Script kExpireThenSet{"expire_then_set",
                                "if redis.call('exists', KEYS[1]) == 1 then return 0 end "
                                "redis.call('psetex', KEYS[1], ARGV[2], '') "
                                "redis.call('set', KEYS[1], ARGV[1]) return 1"};
constexpr Script kTakeAtomically{"take_atomically",
                                 "if redis.call('exists', KEYS[1]) == 1 then return 0 end "
                                 "redis.call('set', KEYS[1], ARGV[1]) "
                                 "redis.call('pexpire', KEYS[1], ARGV[2]) return 1"};
constexpr Script kTakeOverEqual{"take_over_equal",
                                "local value = redis.call('get', KEYS[1]) "
                                "if value and #value ~= #ARGV[1] then return 0 end "
                                "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) return 1"};
constexpr Script kTakeWhenHalfOver{"take_when_half_over",
                                   "local left = redis.call('pttl', KEYS[1]) "
                                   "if left > 0 and left * 10 > ARGV[2] * 9 then return 0 end "
                                   "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) return 1"};
constexpr Script kTakeEmpty{"take_empty",
                            "local value = redis.call('get', KEYS[1]) "
                            "if value and value ~= '' then return 0 end "
                            "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1"};

constexpr Script kCompareNumbers{"compare_numbers",
                                 "if tonumber(redis.call('get', KEYS[1])) == tonumber(ARGV[1]) "
                                 "then return redis.call('del', KEYS[1]) else return 0 end"};
constexpr Script kDeleteIfExists{
    "delete_if_exists",
    "if redis.call('get', KEYS[1]) then return redis.call('del', KEYS[1]) end return 0"};
constexpr Script kComparePattern{
    "compare_pattern",
    "local value = redis.call('get', KEYS[1]) "
    "if value and string.match(value, '%a*') == string.match(ARGV[1], '%a*') "
    "then return redis.call('del', KEYS[1]) end return 0"};
constexpr Script kCompareAndUnlink{"compare_and_unlink",
                                   "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end "
                                   "return redis.call('UNLINK', KEYS[1])"};
constexpr Script kCompareAndEmpty{"compare_and_empty",
                                  "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                                  "redis.call('set', KEYS[1], '') return 1"};
constexpr Script kAssignInIf{"delete_unless_free",
                             "local mine = redis.call('get', KEYS[1]) or ARGV[1] "
                             "if mine then redis.call('del', KEYS[1]) return 1 end return 0"};
constexpr Script kCompareAndExpireNow{"compare_and_expire_now",
                                      "if redis.call('get', KEYS[1]) == ARGV[1] "
                                      "then return redis.call('pexpire', KEYS[1], 0) end return 0"};

constexpr Script kTakeInWords{
    "take_in_words",
    "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) "
    "then return {ok = 'OK'} else return {err = 'BUSY the lock is held'} end"};
constexpr Script kFreeInWords{
    "free_in_words",
    "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 'not yours' end "
    "redis.call('del', KEYS[1]) return 'freed'"};

/// Its scripts answer with a status, an error and text.
struct AnswersInWords final : TwoScripts<kTakeInWords, kFreeInWords> {
    using FreedBy::FreedBy;
    bool took(const Reply& reply) override { return reply.is_ok(); }
    bool gave_back(const Reply& reply) override { return reply.text() == "freed"; }
};

constexpr Script kTakeWithFence{"take_with_fence",
                                "if redis.call('exists', KEYS[1]) == 1 then return 0 end "
                                "local fence = redis.call('incr', KEYS[1] .. ':fence') "
                                "redis.call('psetex', KEYS[1], ARGV[1], fence) "
                                "return fence"};

/// The token is a number that the script counts up, once for each grant.
struct Fenced final : TokenLock {
    using TokenLock::TokenLock;
    Task<Acquired> try_acquire() override {
        const Reply fence = co_await client_.eval(kTakeWithFence, key_, ttl_ms());
        if (fence.is_unknown()) co_return Unknown{};
        if (fence.is_integer(0)) co_return Refused{};
        token_ = Token{std::to_string(fence.as_integer())};
        co_return Grant{token_, options_.ttl};
    }
};

}  // namespace

void add_scripts(std::vector<Entry>& entries) {
    const Theme add(entries, kLease);
    add.stuck<TakenBy<kTakeIfNil>>(
        "nil_is_false", "set_nx_lua", {},
        "GET of no key is false in Lua, never nil, so nobody ever gets it.");
    add.stuck<TakenBy<kTakeUnlessExists>>(
        "zero_is_true_to_refuse", "set_nx_lua", {},
        "EXISTS answers 0, which Lua takes for true, so nobody ever gets it.");
    add.broken<TakenBy<kTakeIfSetnx>>(
        "zero_is_true_to_grant", "set_nx_lua", {}, Cause::no_key,
        "SETNX answers 0, which Lua takes for true, so everybody gets it.");
    add.stuck<TakenBy<kExpireThenSet>>("expire_then_set", "set_nx_lua", {crash},
                                       "SET takes away the time to live that was set before it.");
    add.broken<TakenBy<kTakeOverEqual>>("take_over_equal", "set_nx_lua", {}, Cause::overwritten,
                                        "The script refuses only tokens of another length.");
    add.broken<TakenBy<kTakeWhenHalfOver>>(
        "take_when_nearly_new", "set_nx_lua", {}, Cause::overwritten,
        "The script takes what has less than nine tenths of its lease left.");
    add.broken<TwoScripts<kTakeAtomically, kCompareNumbers>>(
        "numbers_compared", "set_nx_lua", {delay_request}, Cause::foreign_delete,
        "Tokens are compared as numbers, which they are not: nil equals nil.");
    add.broken<TwoScripts<kTakeAtomically, kDeleteIfExists>>(
        "deletes_if_exists", "set_nx_lua", {retry}, Cause::foreign_delete,
        "The script looks whether there is a value, not which.");
    add.broken<TwoScripts<kTakeAtomically, kComparePattern>>(
        "letters_compared", "set_nx_lua", {retry}, Cause::foreign_delete,
        "The script compares the letters at the beginning of the tokens.");
    add.broken<TwoScripts<kTakeAtomically, kAssignInIf>>(
        "or_instead_of_equal", "set_nx_lua", {delay_request}, Cause::foreign_delete,
        "An `or` where `==` was meant is always true.");
    add.correct<TwoScripts<kTakeAtomically, kCompareAndUnlink>>(
        "taken_in_one_script", "set_nx_lua", calm(),
        "EXISTS, SET and PEXPIRE in one script; UNLINK in another.");
    add.correct<TwoScripts<kTakeEmpty, kCompareAndEmpty>>(
        "empty_is_free", "set_nx_lua", calm(),
        "A lock that was given back is an empty value, and the key stays.");
    add.correct<TwoScripts<kTakeAtomically, kCompareAndExpireNow>>(
        "expires_to_free", "set_nx_lua", calm(),
        "The release sets the time to live of its own key to 0.");
    add.correct<AnswersInWords>("answers_in_words", "set_nx_lua", calm(),
                                "The scripts answer with statuses, errors and text.");
    add.correct<Fenced>("draws_a_fence", "set_nx_lua", calm(),
                        "A second key counts the grants, and the count is the token.");
}

}  // namespace locklab::corpus
