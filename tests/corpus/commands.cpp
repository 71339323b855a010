// Commands of every kind and spelling: which of them decide who has the lock, and which only seem
// to.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

struct LowerCase final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override { return ask("set", key_, token_, "nx", "px", ttl_ms()); }
};

struct MixedCaseAndOrder final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override { return ask("Set", key_, token_, "Px", ttl_ms(), "Nx"); }
};

/// Lower case again, and no NX among the words.
struct LowerCaseWithoutNx final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override { return ask("set", key_, token_, "px", ttl_ms()); }
};

struct SecondsAsMilliseconds final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override { return ask("SET", key_, token_, "NX", "PX", ttl_s()); }
};

struct GetThenPsetex final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply holder = co_await client_.command("GET", key_);
        if (holder.is_unknown()) co_return holder;
        if (!holder.is_nil()) co_return Reply::nil();
        const Reply set = co_await client_.command("PSETEX", key_, ttl_ms(), token_);
        co_return set;
    }
};

struct ExistsThenSet final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply exists = co_await client_.command("EXISTS", key_);
        if (exists.is_unknown()) co_return exists;
        if (!exists.is_integer(0)) co_return Reply::nil();
        const Reply set = co_await client_.command("SETEX", key_, ttl_s(), token_);
        co_return set;
    }
};

/// SETNX says who has it; SETEX, a command later, gives the key its time to live.
struct SetnxThenSetex final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply created = co_await client_.command("SETNX", key_, token_);
        if (created.is_unknown()) co_return created;
        if (!created.is_integer(1)) co_return Reply::nil();
        const Reply set = co_await client_.command("SETEX", key_, ttl_s(), token_);
        co_return set;
    }
};

struct IncrThenExpire final : Deleted<> {
    using Deleted::Deleted;
    Task<Reply> take() override {
        const Reply count = co_await client_.command("INCR", key_);
        if (count.is_unknown()) co_return count;
        if (!count.is_integer(1)) co_return Reply::nil();
        const Reply expires = co_await client_.command("PEXPIRE", key_, ttl_ms());
        if (expires.is_unknown()) co_return expires;
        co_return Reply::ok();
    }
};

/// KEEPTTL sounds as if it had something to keep.
struct KeepsNoTtl final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override { return ask("SET", key_, token_, "NX", "KEEPTTL"); }
};

/// SET .. GET tells whether there was a key, and has overwritten it by then.
struct SetGet final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply old = co_await client_.command("SET", key_, token_, "GET", "PX", ttl_ms());
        if (old.is_unknown()) co_return old;
        co_return old.is_nil() ? Reply::ok() : Reply::nil();
    }
};

/// The same with GETSET, where the loser puts back what it took out.
struct GetsetPutBack final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply old = co_await client_.command("GETSET", key_, token_);
        if (old.is_unknown()) co_return old;
        if (old.is_nil()) co_return Reply::ok();
        const Token others{old.text()};
        const Reply back = co_await client_.command("SET", key_, others);
        if (back.is_unknown()) co_return back;
        co_return Reply::nil();
    }
};

/// Waits for nobody: an error is taken for an answer, and the answer for a yes.
struct AnyAnswerIsYes final : TokenLock {
    using TokenLock::TokenLock;
    bool took(const Reply& reply) override { return !reply.is_error(); }
};

/// -1 says that the key has no time to live, not that it has run out.
struct NoTtlTakenForFree final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply left = co_await client_.command("TTL", key_);
        if (left.is_unknown()) co_return left;
        if (left.as_integer() >= 0) co_return Reply::nil();
        const Reply set = co_await client_.command("SET", key_, token_);
        co_return set;
    }
};

struct HashField final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override { return ask("HSETNX", key_, "holder", token_); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override { return ask("HDEL", key_, "holder"); }
};

/// Each client asks for a field of its own in the hash, and always gets it.
struct HashFieldOfItsOwn final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override { return ask("HSETNX", key_, token_, 1); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override { return ask("HDEL", key_, token_); }
};

/// SETNX and PEXPIRE; but whoever is refused gives a time to live to a key that has none.
struct TtlRepaired final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply created = co_await client_.command("SETNX", key_, token_);
        if (created.is_unknown()) co_return created;
        if (!created.is_integer(1)) {
            const Reply left = co_await client_.command("PTTL", key_);
            if (left.is_unknown()) co_return left;
            if (!left.is_integer(-1)) co_return Reply::nil();
        }
        const Reply expires = co_await client_.command("PEXPIRE", key_, ttl_ms());
        if (expires.is_unknown()) co_return expires;
        co_return created.is_integer(1) && expires.is_integer(1) ? Reply::ok() : Reply::nil();
    }
};

struct SetUntil final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const std::int64_t until = us(client_.now()) / 1000 + ttl_ms();
        return ask("SET", key_, token_, "NX", "PXAT", until);
    }
};

}  // namespace

void add_commands(std::vector<Entry>& entries) {
    const Theme add(entries, kLease);
    const Theme endless(entries, kNoExpiry);
    add.broken<LowerCaseWithoutNx>("lower_case_without_nx", "set_nx_lua", {}, Cause::overwritten,
                                   "set .. px, without nx: everybody takes it from everybody.");
    add.broken<SecondsAsMilliseconds>("seconds_as_milliseconds", "set_nx_lua", {},
                                      Cause::expired_while_held,
                                      "PX is given seconds, so the lease is over at once.");
    add.broken<GetThenPsetex>("get_then_psetex", "set_nx_lua", {}, Cause::overwritten,
                              "GET looks, and PSETEX takes what another may have by then.");
    add.broken<ExistsThenSet>("exists_then_set", "set_nx_lua", {}, Cause::overwritten,
                              "EXISTS looks, and SETEX takes what another may have by then.");
    add.stuck<SetnxThenSetex>("setnx_then_setex", "set_nx_lua", {crash},
                              "SETNX, and the time to live a command later.");
    add.stuck<IncrThenExpire>("incr_then_expire", "set_nx_lua", {crash},
                              "INCR, and the time to live a command later.");
    add.stuck<KeepsNoTtl>("keeps_no_ttl", "set_nx_lua", {crash},
                          "SET NX KEEPTTL gives a new key no time to live.");
    add.stuck<SetGet>("set_get", "set_nx_lua", {},
                      "SET GET has overwritten the key before it tells that there was one, and "
                      "each try keeps it alive.");
    add.broken<AnyAnswerIsYes>("any_answer_is_yes", "set_nx_lua", {}, Cause::no_key,
                               "A nil to SET NX is taken for a grant.");
    endless.broken<NoTtlTakenForFree>(
        "no_ttl_taken_for_free", "setnx_del", {}, Cause::overwritten,
        "TTL answers -1 for a key that never expires, and the lock reads that as free.");
    endless.stuck<GetsetPutBack>(
        "getset_put_back", "setnx_del", {},
        "Who swaps a token in and back may do so over a key that was freed.");
    endless.broken<HashFieldOfItsOwn>(
        "hash_field_of_its_own", "setnx_del", {}, Cause::overwritten,
        "HSETNX of a field that nobody else asks for always succeeds.");
    add.broken<SetUntil>("set_until", "set_nx_lua", {clock_offset}, Cause::clock,
                         "PXAT is given a time of the client's clock.");
    add.correct<LowerCase>("lower_case", "set_nx_lua", calm(), "set .. nx px, in lower case.");
    add.correct<MixedCaseAndOrder>("mixed_case_and_order", "set_nx_lua", calm(),
                                   "Set .. Px .. Nx: case and order of the words do not matter.");
    endless.correct<HashField>("hash_field", "setnx_del", calm_without_ttl(),
                               "HSETNX takes one field of a hash, and HDEL gives it back.");
    add.correct<TtlRepaired>("ttl_repaired", "setnx_expire", calm_in_time(),
                             "Who is refused by a key without a time to live gives it one.");
}

}  // namespace locklab::corpus
