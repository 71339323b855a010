// Releases that delete what is not theirs, or do not free what is; and some odd ones that do.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

class GetThenDel final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> give_back() override {
        const Reply holder = co_await client_.command("GET", key_);
        if (holder.is_unknown()) co_return holder;
        if (holder.text() != token_.text) co_return Reply::integer(0);
        const Reply deleted = co_await client_.command("DEL", key_);
        co_return deleted;
    }
};

/// The client believes its own flag, and asks nobody.
class FlagThenDel final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    void granted() override { held_ = true; }
    Task<Reply> give_back() override {
        if (!std::exchange(held_, false)) co_return Reply::integer(0);
        const Reply deleted = co_await client_.command("DEL", key_);
        co_return deleted;
    }
    bool held_ = false;
};

class UnlinkUnasked final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> give_back() override {
        const Reply deleted = co_await client_.command("UNLINK", key_);
        co_return deleted;
    }
};

/// What a `finally` does at the wrong place.
class DeletesWhenRefused final : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Acquired> try_acquire() override {
        token_ = new_token();
        const Reply reply = co_await take();
        if (reply.is_unknown()) co_return Unknown{};
        if (reply.is_ok()) co_return Grant{token_, options_.ttl};
        const Reply cleaned = co_await client_.command("DEL", key_);
        if (cleaned.is_unknown()) co_return Unknown{};
        co_return Refused{};
    }
};

/// "The SET may have run, so undo it."
class DeletesWhenUnknown final : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Acquired> try_acquire() override {
        token_ = new_token();
        const Reply reply = co_await take();
        if (reply.is_ok()) co_return Grant{token_, options_.ttl};
        if (reply.is_unknown()) {
            const Reply undone = co_await client_.command("DEL", key_);
            if (undone.is_unknown()) co_return Unknown{};
        }
        co_return Refused{};
    }
};

class ExpiresAtOnce final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> give_back() override {
        const Reply expired = co_await client_.command("PEXPIRE", key_, 0);
        co_return expired;
    }
};

/// Takes the key out to look whose it is, and puts it back if it is another's.
class TakesOutToLook final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
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

class Inverted final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> give_back() override {
        const Reply reply = co_await client_.eval(kInverted, key_, token_);
        co_return reply;
    }
};

constexpr Script kDeleteThenCompare{"delete_then_compare",
                                    "local value = redis.call('get', KEYS[1]) "
                                    "redis.call('del', KEYS[1]) "
                                    "if value == ARGV[1] then return 1 else return 0 end"};

class DeleteThenCompare final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> give_back() override {
        const Reply reply = co_await client_.eval(kDeleteThenCompare, key_, token_);
        co_return reply;
    }
};

/// Deletes only what has time left, whosever it is.
class PttlThenDel final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> give_back() override {
        const Reply left = co_await client_.command("PTTL", key_);
        if (left.is_unknown()) co_return left;
        if (left.as_integer() <= 0) co_return Reply::integer(0);
        const Reply deleted = co_await client_.command("DEL", key_);
        co_return deleted;
    }
};

/// Leaves a mark that is gone after a millisecond, over whatever stands there.
class MarksAsFree final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> give_back() override {
        const Reply marked = co_await client_.command("SET", key_, "free", "PX", 1);
        co_return marked;
    }
    bool gave_back(const Reply& reply) override { return reply.is_ok(); }
};

/// SETNX on one key, DEL on another.
class WrongKey final : public Lock {
public:
    WrongKey(Client& client, Key key, const LockOptions&)
        : client_(client), key_(std::move(key)), other_{"lock:" + key_.name} {}

    Task<Acquired> try_acquire() override {
        const Reply set = co_await client_.command("SETNX", key_, "1");
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_integer(1)) co_return Refused{};
        co_return Grant{Token{"1"}};
    }
    Task<Release> release() override {
        const Reply deleted = co_await client_.command("DEL", other_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Key other_;
};

/// INCR: who reads 1 has the lock.
class Incr : public Lock {
public:
    Incr(Client& client, Key key, const LockOptions&) : client_(client), key_(std::move(key)) {}

    Task<Acquired> try_acquire() override {
        const Reply count = co_await client_.command("INCR", key_);
        if (count.is_unknown()) co_return Unknown{};
        if (count.is_integer(1)) co_return Grant{Token{"1"}};
        const Reply undone = co_await undo();
        if (undone.is_unknown()) co_return Unknown{};
        co_return Refused{};
    }
    Task<Release> release() override {
        const Reply reply = co_await give_back();
        if (reply.is_unknown()) co_return Release::unknown;
        co_return Release::yes;
    }

protected:
    virtual Task<Reply> undo() {
        const Reply count = co_await client_.command("DECR", key_);
        co_return count;
    }
    virtual Task<Reply> give_back() {
        const Reply count = co_await client_.command("DECR", key_);
        co_return count;
    }
    Client& client_;
    const Key key_;
};

class IncrNotUndone final : public Incr {
public:
    using Incr::Incr;

private:
    Task<Reply> undo() override { co_return Reply::integer(0); }
};

/// Whoever is refused deletes the counter, "to begin anew".
class IncrStartedAnew final : public Incr {
public:
    using Incr::Incr;

private:
    Task<Reply> undo() override {
        const Reply deleted = co_await client_.command("DEL", key_);
        co_return deleted;
    }
};

class ReleasedTwice final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> give_back() override {
        const Reply first = co_await client_.eval(kCompareAndDelete, key_, token_);
        const Reply second = co_await client_.eval(kCompareAndDelete, key_, token_);
        if (second.is_integer(1)) co_return second;
        co_return first;
    }
};

/// The caller is let go at once; a task sends the release.
class ReleasedInBackground final : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Release> release() override {
        client_.spawn(send(token_));
        co_return Release::yes;
    }

private:
    Task<> send(Token token) { co_await client_.eval(kCompareAndDelete, key_, token); }
};

}  // namespace

void add_releases(std::vector<Entry>& entries) {
    const std::vector<Hazard> calm{crash,        lose_request, lose_reply, delay_request,
                                   clock_offset, clock_jump,   retry};
    entries.push_back(broken("get_then_del", "set_nx_lua", {delay_request}, Cause::foreign_delete,
                             "GET compares, and DEL deletes later, whatever is there by then.",
                             kLease, make<GetThenDel>));
    entries.push_back(broken("flag_then_del", "set_nx_lua", {retry}, Cause::foreign_delete,
                             "A flag in the client says that it holds the lock, and DEL follows.",
                             kLease, make<FlagThenDel>));
    entries.push_back(broken("unlink_unasked", "set_nx_lua", {retry}, Cause::foreign_delete,
                             "UNLINK does not ask whose key it is.", kLease, make<UnlinkUnasked>));
    entries.push_back(broken("deletes_when_refused", "set_nx_lua", {}, Cause::foreign_delete,
                             "Who is refused cleans up, and deletes the holder's key.", kLease,
                             make<DeletesWhenRefused>));
    entries.push_back(broken("deletes_when_unknown", "set_nx_lua", {lose_request},
                             Cause::foreign_delete,
                             "Who has no answer undoes its SET by DEL, and deletes the holder's "
                             "key.",
                             kLease, make<DeletesWhenUnknown>));
    entries.push_back(broken("expires_at_once", "set_nx_lua", {delay_request},
                             Cause::foreign_delete, "PEXPIRE 0 frees the key, whosever it is.",
                             kLease, make<ExpiresAtOnce>));
    entries.push_back(broken("takes_out_to_look", "set_nx_lua", {delay_request},
                             Cause::foreign_delete,
                             "GETDEL takes the key out to look whose it is, and SET puts it back.",
                             kLease, make<TakesOutToLook>));
    entries.push_back(broken("inverted", "set_nx_lua", {delay_request}, Cause::foreign_delete,
                             "The release deletes the key only where it is not the client's own.",
                             kLease, make<Inverted>));
    entries.push_back(broken("delete_then_compare", "set_nx_lua", {delay_request},
                             Cause::foreign_delete,
                             "The script deletes the key before it looks whose it was.", kLease,
                             make<DeleteThenCompare>));
    entries.push_back(broken("pttl_then_del", "set_nx_lua", {retry}, Cause::foreign_delete,
                             "DEL follows where the key has time left, whosever it is.", kLease,
                             make<PttlThenDel>));
    entries.push_back(broken("marks_as_free", "set_nx_lua", {delay_request}, Cause::overwritten,
                             "The release overwrites the key with a mark that expires at once.",
                             kLease, make<MarksAsFree>));
    entries.push_back(stuck("wrong_key", "setnx_del", {},
                            "The release deletes a key of another name.", kNoExpiry,
                            make<WrongKey>));
    entries.push_back(stuck("incr_not_undone", "incr", {},
                            "Who reads more than 1 does not count down again.", kNoExpiry,
                            make<IncrNotUndone>));
    entries.push_back(broken("incr_started_anew", "incr", {}, Cause::foreign_delete,
                             "Who is refused deletes the counter.", kNoExpiry,
                             make<IncrStartedAnew>));
    entries.push_back(correct(
        "incr", "setnx_del", {slow_job, pause, clock_offset, clock_jump, server_clock_jump},
        "Who counts from 0 to 1 has the lock; everyone counts down again.", kNoExpiry, make<Incr>));
    entries.push_back(correct("released_twice", "set_nx_lua", calm,
                              "The second release finds nothing of its own.", kLease,
                              make<ReleasedTwice>));
    entries.push_back(correct("released_in_background", "set_nx_lua", calm,
                              "The caller leaves before a task sends the release.", kLease,
                              make<ReleasedInBackground>));
}

}  // namespace locklab::corpus
