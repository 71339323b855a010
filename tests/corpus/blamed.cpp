// Whom to blame is easily mistaken: a command of an old round that shows the new round's token, one
// that had read another's token, a key that another wrote, a key of another name.
#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

constexpr Script kHandOver{"hand_over",
                           "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                           "local next = redis.call('get', ARGV[3]) "
                           "if not next then return redis.call('del', KEYS[1]) end "
                           "redis.call('set', KEYS[1], next, 'PX', ARGV[2]) "
                           "return redis.call('del', ARGV[3])"};

// Mistake: the background task that a release leaves behind shows the token of the next round.
class ReleaseGoesOn final : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Release> release() override {
        const Reply reply = co_await give_back();
        if (!reply.is_unknown()) co_return gave_back(reply) ? Release::yes : Release::not_ours;
        rest_ = client_.spawn(go_on());
        co_return Release::unknown;
    }

private:
    Task<> go_on() {
        co_await client_.sleep(options_.ttl / 20);
        Reply reply = Reply::unknown();
        while (reply.is_unknown()) reply = co_await give_back();
    }

    Background rest_;
};

// Mistake: a refused client takes the holder for dead, and frees the lock in its name.
class ReapsByItsToken final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override {
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        if (!set.is_nil()) co_return set;
        const Reply holder = co_await client_.command("GET", key_);
        if (!holder.is_bulk()) co_return set;
        const Token theirs{holder.text()};
        co_await client_.eval(kCompareAndDelete, key_, theirs);
        co_return set;
    }
};

// Mistake: a key that is handed over to a waiting client has a time to live of 10 ms.
class HandsOverTooShort final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Token new_token() override { return token_.text.empty() ? client_.fresh_token() : token_; }
    Task<Reply> take() override {
        const Reply mine = co_await client_.command("GET", key_);
        if (mine.is_unknown()) co_return mine;
        if (mine.is_bulk() && mine.text() == token_.text) co_return Reply::ok();
        const Reply set = co_await client_.command("SET", key_, token_, "NX");
        if (set.is_nil()) co_await client_.command("SET", next_, token_);
        co_return set;
    }
    Task<Reply> give_back() override {
        const Reply over = co_await client_.eval(kHandOver, key_, token_, 10, next_);
        token_ = Token{};
        co_return over;
    }

private:
    const Key next_{key_.name + ":next"};
};

// Mistake: a release deletes whatever is there; that the lock's key has another name is none.
class DeletesAnotherName final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override { return ask("SET", place_, token_, "NX", "PX", ttl_ms()); }
    Task<Reply> give_back() override { return ask("DEL", place_); }

private:
    const Key place_{"held:" + key_.name};
};

// Nothing is wrong: the key is made under a name of its own, and moved.
class MovesItsKey final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override {
        const Key own{key_.name + ":" + std::to_string(client_.id().value)};
        const Reply set = co_await client_.command("SET", own, token_);
        if (set.is_unknown()) co_return set;
        const Reply moved = co_await client_.command("RENAMENX", own, key_);
        co_return moved;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
};

}  // namespace

void add_blamed(std::vector<Entry>& entries) {
    using enum Hazard;
    const Theme add(entries, kLease);
    const Theme for_ever(entries, kNoExpiry);
    add.broken<ReleaseGoesOn>("release_goes_on", "set_nx_lua", {lose_reply}, Cause::foreign_delete,
                              "A release without an answer goes on in the background, with the "
                              "token that the lock has by then.");
    add.broken<ReapsByItsToken>("reaps_by_its_token", "set_nx_lua", {}, Cause::foreign_delete,
                                "A refused client reads the holder's token, and deletes its key "
                                "with it.");
    for_ever.broken<HandsOverTooShort>("hands_over_too_short", "set_nx_lua", {},
                                       Cause::expired_while_held,
                                       "A key that is handed over lives for 10 ms.");
    add.broken<DeletesAnotherName>("deletes_another_name", "set_nx_lua", {delay_request},
                                   Cause::foreign_delete,
                                   "The lock's key has another name, and a late DEL deletes the "
                                   "next holder's.");
    for_ever.correct<MovesItsKey>("moves_its_key", "setnx_del", calm_without_ttl(),
                                  "RENAMENX moves a key of one's own to the lock's place, if there "
                                  "is none.");
}

}  // namespace locklab::corpus
