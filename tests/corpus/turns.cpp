// Locks that some clients get and others do not: those that shut a client out for good, and those
// whose clients take turns, queue or hand the lock over, so that each gets it as long as the others
// go on.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"
#include "tests/explore/fair_locks.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

std::string number_text(Client& client) { return std::to_string(client.id().value); }

constexpr Script kNotTwice{
    "not_twice",
    "if redis.call('get', KEYS[1] .. ':last') == ARGV[2] then return 0 end "
    "if not redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[3]) then return 0 end "
    "redis.call('set', KEYS[1] .. ':last', ARGV[2]) "
    "return 1"};

/// The last holder lets another go first, whether there is another or not.
class NotTwice : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    virtual std::string me() { return number_text(client_); }

private:
    Task<Reply> take() override {
        const std::string its = me();
        const Reply reply = co_await client_.eval(kNotTwice, key_, token_, its, ttl_ms());
        co_return reply;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
};

/// The same, by a name that the client drew once.
class NotTwiceByName final : public NotTwice {
public:
    using NotTwice::NotTwice;

private:
    std::string me() override {
        if (name_.text.empty()) name_ = client_.fresh_token();
        return name_.text;
    }

    Token name_;
};

/// A client that was refused is refused for ever.
class RefusesForGood final : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Acquired> try_acquire() override {
        if (was_refused_) co_return Refused{};
        Acquired acquired = co_await TokenLock::try_acquire();
        was_refused_ = acquired.grant() == nullptr;
        co_return acquired;
    }

private:
    bool was_refused_ = false;
};

/// One grant for each client, and no other.
class OneGrantEach final : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Acquired> try_acquire() override {
        if (had_it_) co_return Refused{};
        Acquired acquired = co_await TokenLock::try_acquire();
        co_return acquired;
    }

private:
    void granted() override { had_it_ = true; }

    bool had_it_ = false;
};

/// Nobody but the first client ever asks.
class OnlyTheFirst final : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Acquired> try_acquire() override {
        if (client_.id().value != 0) co_return Refused{};
        Acquired acquired = co_await TokenLock::try_acquire();
        co_return acquired;
    }
};

constexpr Script kTakeOrWait{
    "take_or_wait",
    "local holder = redis.call('get', KEYS[1]) "
    "if holder == ARGV[1] then redis.call('hdel', KEYS[1] .. ':wait', ARGV[1]) return 1 end "
    "if not holder then redis.call('set', KEYS[1], ARGV[1]) return 1 end "
    "redis.call('hset', KEYS[1] .. ':wait', ARGV[1], '1') "
    "return 0"};
constexpr Script kHandOver{"hand_over",
                           "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                           "local waiting = redis.call('hkeys', KEYS[1] .. ':wait') "
                           "if #waiting == 0 then redis.call('del', KEYS[1]) "
                           "else redis.call('set', KEYS[1], waiting[1]) end "
                           "return 1"};

/// Hands the lock to the first that waits, without an expiry.
class HandsOver final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override { return Token{number_text(client_)}; }
    Task<Reply> take() override {
        const Reply reply = co_await client_.eval(kTakeOrWait, key_, token_);
        co_return reply;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override {
        const Reply reply = co_await client_.eval(kHandOver, key_, token_);
        co_return reply;
    }
};

}  // namespace

void add_turns(std::vector<Entry>& entries) {
    const std::vector<Hazard> calm{contention};
    entries.push_back(stuck("not_twice_and_alone", "set_nx_lua", {crash, crash},
                            "The last holder waits for another to have it, and all others crash.",
                            kLease, make<NotTwice>));
    entries.push_back(stuck("not_twice_by_name_and_alone", "set_nx_lua", {crash, crash},
                            "The same, by a name that each client draws once.", kLease,
                            make<NotTwiceByName>));
    entries.push_back(stuck("refuses_for_good", "set_nx_lua", {},
                            "A client that was refused once is never granted the lock.", kLease,
                            make<RefusesForGood>));
    entries.push_back(stuck("one_grant_each", "set_nx_lua", {},
                            "A client that had the lock once never gets it again.", kLease,
                            make<OneGrantEach>));
    entries.push_back(stuck("only_the_first", "set_nx_lua", {},
                            "All clients but one are refused for ever.", kLease,
                            make<OnlyTheFirst>));
    entries.push_back(correct("not_twice", "set_nx_lua", calm,
                              "Who had it last waits for another, who comes.", kLease,
                              make<NotTwice>));
    entries.push_back(correct("not_twice_by_name", "set_nx_lua", calm,
                              "The same, by a name that each client draws once.", kLease,
                              make<NotTwiceByName>));
    entries.push_back(correct("tickets", "setnx_del", calm,
                              "Each waits for its ticket's turn, and gets it.", kNoExpiry,
                              make<TicketLock>));
    entries.push_back(correct("hands_over", "setnx_del", calm,
                              "The lock is handed to one that waits, and it comes for it.",
                              kNoExpiry, make<HandsOver>));
}

}  // namespace locklab::corpus
