// When a lease is counted from, where the reply to the command that began it may be late.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

/// A stopwatch runs since before the command was sent: who learns of its lock when half of the
/// lease may be over gives it back.
class CountsFromBefore : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Acquired> try_acquire() override {
        token_ = new_token();
        began_ = client_.monotonic();
        const Reply reply = co_await take();
        if (reply.is_unknown()) co_return Unknown{};
        if (!took(reply)) co_return Refused{};
        reply_came();
        if (client_.monotonic() - began_ > options_.ttl / 2) {
            co_await give_back();
            co_return Refused{};
        }
        co_return Grant{token_, options_.ttl};
    }

protected:
    virtual void reply_came() {}
    MonotonicTime began_;
};

class CountsFromReply final : public CountsFromBefore {
public:
    using CountsFromBefore::CountsFromBefore;

private:
    void reply_came() override { began_ = client_.monotonic(); }
};

class AsksWhoseItIs final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        Reply reply = co_await TokenLock::take();
        if (!reply.is_ok()) co_return reply;
        const Reply value = co_await client_.command("GET", key_);
        if (value.is_unknown()) co_return value;
        if (value.text() != token_.text) co_return Reply::nil();
        co_return reply;
    }
};

class ExtendsFirst final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        Reply reply = co_await TokenLock::take();
        if (!reply.is_ok()) co_return reply;
        const Reply extended = co_await client_.eval(kCompareAndExtend, key_, token_, ttl_ms());
        if (extended.is_unknown()) co_return extended;
        if (!extended.is_integer(1)) co_return Reply::nil();
        co_return reply;
    }
};

}  // namespace

void add_late_replies(std::vector<Entry>& entries) {
    using enum Hazard;
    constexpr const char* kParent = "counts_from_before";
    entries.push_back(correct(kParent, "set_nx_lua",
                              {crash, lose_request, lose_reply, delay_request, delay_reply, retry,
                               clock_offset, clock_jump},
                              "A stopwatch runs since before SET: a lock whose reply was late is "
                              "given back.",
                              kLease, make<CountsFromBefore>));
    entries.push_back(broken("counts_from_reply", kParent, {delay_reply}, Cause::late_reply,
                             "The stopwatch is started when the reply comes, and Redis counts from "
                             "before.",
                             kLease, make<CountsFromReply>));
    entries.push_back(broken("asks_whose_it_is", kParent, {delay_reply}, Cause::late_reply,
                             "GET says whose the key was when Redis ran it; its reply may be late "
                             "too.",
                             kLease, make<AsksWhoseItIs>));
    entries.push_back(broken("extends_first", kParent, {delay_reply}, Cause::late_reply,
                             "The lease is begun anew before the job, and that reply may be late.",
                             kLease, make<ExtendsFirst>));
}

}  // namespace locklab::corpus
