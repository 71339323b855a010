// Releases that delete what is not theirs, or do not free what is; and some odd ones that do.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

struct GetThenDel final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> give_back() override {
        const Reply holder = co_await client_.command("GET", key_);
        if (holder.is_unknown()) co_return holder;
        if (holder.text() != token_.text) co_return Reply::integer(0);
        const Reply deleted = co_await client_.command("DEL", key_);
        co_return deleted;
    }
};

/// The client believes its own flag, and asks nobody.
struct FlagThenDel final : TokenLock {
    using TokenLock::TokenLock;
    void granted() override { held_ = true; }
    Task<Reply> give_back() override {
        return std::exchange(held_, false) ? ask("DEL", key_) : nothing();
    }
    bool held_ = false;
};

struct UnlinkUnasked final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> give_back() override { return ask("UNLINK", key_); }
};

/// What a `finally` does at the wrong place.
struct DeletesWhenRefused final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply reply = co_await TokenLock::take();
        if (reply.is_unknown() || reply.is_ok()) co_return reply;
        const Reply cleaned = co_await client_.command("DEL", key_);
        co_return cleaned.is_unknown() ? cleaned : Reply::nil();
    }
};

/// "The SET may have run, so undo it."
struct DeletesWhenUnknown final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply reply = co_await TokenLock::take();
        if (!reply.is_unknown()) co_return reply;
        const Reply undone = co_await client_.command("DEL", key_);
        co_return undone.is_unknown() ? undone : Reply::nil();
    }
};

struct ExpiresAtOnce final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> give_back() override { return ask("PEXPIRE", key_, 0); }
};

/// Takes the key out to look whose it is, and puts it back if it is another's.
struct TakesOutToLook final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> give_back() override {
        const Reply taken = co_await client_.command("GETDEL", key_);
        if (!taken.is_bulk()) co_return taken;
        if (taken.text() == token_.text) co_return Reply::integer(1);
        const Token others{taken.text()};
        const Reply back = co_await client_.command("SET", key_, others, "NX", "PX", ttl_ms());
        co_return back;
    }
};

constexpr Script kInverted{"delete_unless_equal",
                           "if redis.call('get', KEYS[1]) == ARGV[1] then return 0 "
                           "else return redis.call('del', KEYS[1]) end"};

constexpr Script kDeleteThenCompare{"delete_then_compare",
                                    "local value = redis.call('get', KEYS[1]) "
                                    "redis.call('del', KEYS[1]) "
                                    "if value == ARGV[1] then return 1 else return 0 end"};

/// Deletes only what has time left, whosever it is.
struct PttlThenDel final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> give_back() override {
        const Reply left = co_await client_.command("PTTL", key_);
        if (left.is_unknown()) co_return left;
        if (left.as_integer() <= 0) co_return Reply::integer(0);
        const Reply deleted = co_await client_.command("DEL", key_);
        co_return deleted;
    }
};

/// Leaves a mark that is gone after a millisecond, over whatever stands there.
struct MarksAsFree final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> give_back() override { return ask("SET", key_, "free", "PX", 1); }
    bool gave_back(const Reply& reply) override { return reply.is_ok(); }
};

/// SETNX on one key, DEL on another.
struct WrongKey final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override { return Token{"1"}; }
    Task<Reply> take() override { return ask("SETNX", key_, token_); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override { return ask("DEL", "lock:" + key_.name); }
};

/// INCR: who reads 1 has the lock.
struct Incr : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override { return Token{"1"}; }
    Task<Reply> take() override {
        const Reply count = co_await client_.command("INCR", key_);
        if (count.is_unknown() || count.is_integer(1)) co_return count;
        const Reply undone = co_await undo();
        co_return undone.is_unknown() ? undone : Reply::nil();
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    virtual Task<Reply> undo() { return ask("DECR", key_); }
    Task<Reply> give_back() override { return ask("DECR", key_); }
    bool gave_back(const Reply&) override { return true; }
};

struct IncrNotUndone final : Incr {
    using Incr::Incr;
    Task<Reply> undo() override { return nothing(); }
};

/// Whoever is refused deletes the counter, "to begin anew".
struct IncrStartedAnew final : Incr {
    using Incr::Incr;
    Task<Reply> undo() override { return ask("DEL", key_); }
};

struct ReleasedTwice final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> give_back() override {
        const Reply first = co_await client_.eval(kCompareAndDelete, key_, token_);
        const Reply second = co_await client_.eval(kCompareAndDelete, key_, token_);
        if (second.is_integer(1)) co_return second;
        co_return first;
    }
};

/// The caller is let go at once; a task sends the release.
struct ReleasedInBackground final : TokenLock {
    using TokenLock::TokenLock;
    Task<Release> release() override {
        client_.spawn(send(token_));
        co_return Release::yes;
    }
    Task<> send(Token token) { co_await client_.eval(kCompareAndDelete, key_, token); }
};

}  // namespace

void add_releases(std::vector<Entry>& entries) {
    const Theme add(entries, kLease);
    const Theme endless(entries, kNoExpiry);
    add.broken<GetThenDel>("get_then_del", "set_nx_lua", {delay_request}, Cause::foreign_delete,
                           "GET compares, and DEL deletes later, whatever is there by then.");
    add.broken<FlagThenDel>("flag_then_del", "set_nx_lua", {retry}, Cause::foreign_delete,
                            "A flag in the client says that it holds the lock, and DEL follows.");
    add.broken<UnlinkUnasked>("unlink_unasked", "set_nx_lua", {retry}, Cause::foreign_delete,
                              "UNLINK does not ask whose key it is.");
    add.broken<DeletesWhenRefused>("deletes_when_refused", "set_nx_lua", {}, Cause::foreign_delete,
                                   "Who is refused cleans up, and deletes the holder's key.");
    add.broken<DeletesWhenUnknown>(
        "deletes_when_unknown", "set_nx_lua", {lose_request}, Cause::foreign_delete,
        "Who has no answer undoes its SET by DEL, and deletes the holder's key.");
    add.broken<ExpiresAtOnce>("expires_at_once", "set_nx_lua", {delay_request},
                              Cause::foreign_delete, "PEXPIRE 0 frees the key, whosever it is.");
    add.broken<TakesOutToLook>(
        "takes_out_to_look", "set_nx_lua", {delay_request}, Cause::foreign_delete,
        "GETDEL takes the key out to look whose it is, and SET puts it back.");
    add.broken<FreedBy<kInverted>>(
        "inverted", "set_nx_lua", {delay_request}, Cause::foreign_delete,
        "The release deletes the key only where it is not the client's own.");
    add.broken<FreedBy<kDeleteThenCompare>>(
        "delete_then_compare", "set_nx_lua", {delay_request}, Cause::foreign_delete,
        "The script deletes the key before it looks whose it was.");
    add.broken<PttlThenDel>("pttl_then_del", "set_nx_lua", {retry}, Cause::foreign_delete,
                            "DEL follows where the key has time left, whosever it is.");
    add.broken<MarksAsFree>("marks_as_free", "set_nx_lua", {delay_request}, Cause::overwritten,
                            "The release overwrites the key with a mark that expires at once.");
    endless.stuck<WrongKey>("wrong_key", "setnx_del", {},
                            "The release deletes a key of another name.");
    endless.stuck<IncrNotUndone>("incr_not_undone", "incr", {},
                                 "Who reads more than 1 does not count down again.");
    endless.broken<IncrStartedAnew>("incr_started_anew", "incr", {}, Cause::foreign_delete,
                                    "Who is refused deletes the counter.");
    endless.correct<Incr>("incr", "setnx_del", calm_without_ttl(),
                          "Who counts from 0 to 1 has the lock; everyone counts down again.");
    add.correct<ReleasedTwice>("released_twice", "set_nx_lua", calm(),
                               "The second release finds nothing of its own.");
    add.correct<ReleasedInBackground>("released_in_background", "set_nx_lua", calm(),
                                      "The caller leaves before a task sends the release.");
}

}  // namespace locklab::corpus
