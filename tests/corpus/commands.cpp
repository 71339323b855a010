// Commands of every kind and spelling: which of them decide who has the lock, and which only seem
// to.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

class LowerCase final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply set = co_await client_.command("set", key_, token_, "nx", "px", ttl_ms());
        co_return set;
    }
};

class MixedCaseAndOrder final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply set = co_await client_.command("Set", key_, token_, "Px", ttl_ms(), "Nx");
        co_return set;
    }
};

/// Lower case again, and no NX among the words.
class LowerCaseWithoutNx final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply set = co_await client_.command("set", key_, token_, "px", ttl_ms());
        co_return set;
    }
};

class SecondsAsMilliseconds final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_s());
        co_return set;
    }
};

class GetThenPsetex final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply holder = co_await client_.command("GET", key_);
        if (holder.is_unknown()) co_return holder;
        if (!holder.is_nil()) co_return Reply::nil();
        const Reply set = co_await client_.command("PSETEX", key_, ttl_ms(), token_);
        co_return set;
    }
};

class ExistsThenSet final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply exists = co_await client_.command("EXISTS", key_);
        if (exists.is_unknown()) co_return exists;
        if (!exists.is_integer(0)) co_return Reply::nil();
        const Reply set = co_await client_.command("SETEX", key_, ttl_s(), token_);
        co_return set;
    }
};

/// SETNX says who has it; SETEX, a command later, gives the key its time to live.
class SetnxThenSetex final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply created = co_await client_.command("SETNX", key_, token_);
        if (created.is_unknown()) co_return created;
        if (!created.is_integer(1)) co_return Reply::nil();
        const Reply set = co_await client_.command("SETEX", key_, ttl_s(), token_);
        co_return set;
    }
};

class IncrThenExpire final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply count = co_await client_.command("INCR", key_);
        if (count.is_unknown()) co_return count;
        if (!count.is_integer(1)) co_return Reply::nil();
        const Reply expires = co_await client_.command("PEXPIRE", key_, ttl_ms());
        if (expires.is_unknown()) co_return expires;
        co_return Reply::ok();
    }
    Task<Reply> give_back() override {
        const Reply deleted = co_await client_.command("DEL", key_);
        co_return deleted;
    }
};

/// KEEPTTL sounds as if it had something to keep.
class KeepsNoTtl final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "KEEPTTL");
        co_return set;
    }
};

/// SET .. GET tells whether there was a key, and has overwritten it by then.
class SetGet final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply old = co_await client_.command("SET", key_, token_, "GET", "PX", ttl_ms());
        if (old.is_unknown()) co_return old;
        co_return old.is_nil() ? Reply::ok() : Reply::nil();
    }
};

/// The same with GETSET, where the loser puts back what it took out.
class GetsetPutBack final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
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
class AnyAnswerIsYes final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    bool took(const Reply& reply) override { return !reply.is_error(); }
};

/// -1 says that the key has no time to live, not that it has run out.
class NoTtlTakenForFree final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply left = co_await client_.command("TTL", key_);
        if (left.is_unknown()) co_return left;
        if (left.as_integer() >= 0) co_return Reply::nil();
        const Reply set = co_await client_.command("SET", key_, token_);
        co_return set;
    }
};

class HashField final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply created = co_await client_.command("HSETNX", key_, "holder", token_);
        co_return created;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override {
        const Reply deleted = co_await client_.command("HDEL", key_, "holder");
        co_return deleted;
    }
};

/// Each client asks for a field of its own in the hash, and always gets it.
class HashFieldOfItsOwn final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const Reply created = co_await client_.command("HSETNX", key_, token_, 1);
        co_return created;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override {
        const Reply deleted = co_await client_.command("HDEL", key_, token_);
        co_return deleted;
    }
};

/// SETNX and PEXPIRE; but whoever is refused gives a time to live to a key that has none.
class TtlRepaired final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
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

class SetUntil final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        const std::int64_t until = us(client_.now()) / 1000 + ttl_ms();
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PXAT", until);
        co_return set;
    }
};

}  // namespace

void add_commands(std::vector<Entry>& entries) {
    entries.push_back(broken("lower_case_without_nx", "set_nx_lua", {}, Cause::overwritten,
                             "set .. px, without nx: everybody takes it from everybody.", kLease,
                             make<LowerCaseWithoutNx>));
    entries.push_back(broken("seconds_as_milliseconds", "set_nx_lua", {}, Cause::expired_while_held,
                             "PX is given seconds, so the lease is over at once.", kLease,
                             make<SecondsAsMilliseconds>));
    entries.push_back(broken("get_then_psetex", "set_nx_lua", {}, Cause::overwritten,
                             "GET looks, and PSETEX takes what another may have by then.", kLease,
                             make<GetThenPsetex>));
    entries.push_back(broken("exists_then_set", "set_nx_lua", {}, Cause::overwritten,
                             "EXISTS looks, and SETEX takes what another may have by then.", kLease,
                             make<ExistsThenSet>));
    entries.push_back(stuck("setnx_then_setex", "set_nx_lua", {crash},
                            "SETNX, and the time to live a command later.", kLease,
                            make<SetnxThenSetex>));
    entries.push_back(stuck("incr_then_expire", "set_nx_lua", {crash},
                            "INCR, and the time to live a command later.", kLease,
                            make<IncrThenExpire>));
    entries.push_back(stuck("keeps_no_ttl", "set_nx_lua", {crash},
                            "SET NX KEEPTTL gives a new key no time to live.", kLease,
                            make<KeepsNoTtl>));
    entries.push_back(stuck("set_get", "set_nx_lua", {},
                            "SET GET has overwritten the key before it tells that there was one, "
                            "and each try keeps it alive.",
                            kLease, make<SetGet>));
    entries.push_back(broken("any_answer_is_yes", "set_nx_lua", {}, Cause::no_key,
                             "A nil to SET NX is taken for a grant.", kLease,
                             make<AnyAnswerIsYes>));
    entries.push_back(broken("no_ttl_taken_for_free", "setnx_del", {}, Cause::overwritten,
                             "TTL answers -1 for a key that never expires, and the lock reads that "
                             "as free.",
                             kNoExpiry, make<NoTtlTakenForFree>));
    entries.push_back(stuck("getset_put_back", "setnx_del", {},
                            "Who swaps a token in and back may do so over a key that was freed.",
                            kNoExpiry, make<GetsetPutBack>));
    entries.push_back(broken("hash_field_of_its_own", "setnx_del", {}, Cause::overwritten,
                             "HSETNX of a field that nobody else asks for always succeeds.",
                             kNoExpiry, make<HashFieldOfItsOwn>));
    entries.push_back(broken("set_until", "set_nx_lua", {clock_offset}, Cause::clock,
                             "PXAT is given a time of the client's clock.", kLease,
                             make<SetUntil>));
    const std::vector<Hazard> calm{crash, lose_request, lose_reply, delay_request,
                                   retry, clock_offset, clock_jump};
    entries.push_back(correct("lower_case", "set_nx_lua", calm, "set .. nx px, in lower case.",
                              kLease, make<LowerCase>));
    entries.push_back(correct("mixed_case_and_order", "set_nx_lua", calm,
                              "Set .. Px .. Nx: case and order of the words do not matter.", kLease,
                              make<MixedCaseAndOrder>));
    entries.push_back(correct(
        "hash_field", "setnx_del", {slow_job, pause, clock_offset, clock_jump, server_clock_jump},
        "HSETNX takes one field of a hash, and HDEL gives it back.", kNoExpiry, make<HashField>));
    entries.push_back(correct(
        "ttl_repaired", "setnx_expire", {crash, lose_request, lose_reply, clock_offset, clock_jump},
        "Who is refused by a key without a time to live gives it one.", kLease, make<TtlRepaired>));
}

}  // namespace locklab::corpus
