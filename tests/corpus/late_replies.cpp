// When a lease is counted from, where the reply to the command that began it may be late.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

/// A stopwatch runs since before the command was sent: who learns of its lock when half of the
/// lease may be over gives it back.
struct CountsFromBefore : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        began_ = client_.monotonic();
        Reply reply = co_await TokenLock::take();
        if (!reply.is_ok()) co_return reply;
        reply_came();
        if (client_.monotonic() - began_ <= options_.ttl / 2) co_return reply;
        co_await give_back();
        co_return Reply::nil();
    }
    virtual void reply_came() {}
    MonotonicTime began_;
};

struct CountsFromReply final : CountsFromBefore {
    using CountsFromBefore::CountsFromBefore;
    void reply_came() override { began_ = client_.monotonic(); }
};

struct AsksWhoseItIs final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        Reply reply = co_await TokenLock::take();
        if (!reply.is_ok()) co_return reply;
        const Reply value = co_await client_.command("GET", key_);
        if (value.is_unknown()) co_return value;
        if (value.text() != token_.text) co_return Reply::nil();
        co_return reply;
    }
};

struct ExtendsFirst final : TokenLock {
    using TokenLock::TokenLock;
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
    const Theme add(entries, kLease);
    constexpr const char* kParent = "counts_from_before";
    add.correct<CountsFromBefore>(
        kParent, "set_nx_lua",
        {crash, lose_request, lose_reply, delay_request, delay_reply, retry, clock_offset,
         clock_jump},
        "A stopwatch runs since before SET: a lock whose reply was late is given back.");
    add.broken<CountsFromReply>(
        "counts_from_reply", kParent, {delay_reply}, Cause::late_reply,
        "The stopwatch is started when the reply comes, and Redis counts from before.");
    add.broken<AsksWhoseItIs>(
        "asks_whose_it_is", kParent, {delay_reply}, Cause::late_reply,
        "GET says whose the key was when Redis ran it; its reply may be late too.");
    add.broken<ExtendsFirst>("extends_first", kParent, {delay_reply}, Cause::late_reply,
                             "The lease is begun anew before the job, and that reply may be late.");
}

}  // namespace locklab::corpus
