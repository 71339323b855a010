// Locks by a stranger: what can go wrong, or right, inside a script.
#include <array>
#include <string>

#include "tests/corpus/corpus.h"

namespace locklab::corpus {

namespace {

constexpr LockOptions kLease{.ttl = std::chrono::seconds(10),
                             .retry = std::chrono::milliseconds(100)};

constexpr Script kDeleteIfMine{
    "scripts_delete_if_mine",
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"};

constexpr Script kDeleteIfNamed{
    "scripts_delete_if_named",
    "local held = redis.call('get', KEYS[1]) "
    "if held and string.find(held, ARGV[1]) then return redis.call('del', KEYS[1]) end return 0"};

constexpr Script kTakeOrSecondsLeft{
    "scripts_take_or_seconds_left",
    "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end "
    "return math.floor(redis.call('pttl', KEYS[1]) / 1000)"};

constexpr Script kDeleteUpToMine{
    "scripts_delete_up_to_mine",
    "local held = redis.call('get', KEYS[1]) "
    "if held and held <= ARGV[1] then return redis.call('del', KEYS[1]) end return 0"};

constexpr Script kDeleteIfAnyOfMine{"scripts_delete_if_any_of_mine",
                                    "local held = redis.call('get', KEYS[1]) "
                                    "for i, token in ipairs(ARGV) do "
                                    "if held == token then redis.call('del', KEYS[1]) return i end "
                                    "end return 0"};

// Idea: the value is token@application, and the release looks for its token in it.
// Mistake: string.find reads "0-1" as a pattern, any 1: A's release sent again fits B's "1-1@..".
class DashIsMagic final : public Lock {
public:
    DashIsMagic(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        const std::string id = std::to_string(client_.id().value);
        name_ = id + "-" + std::to_string(grants_ + 1);
        const Token value{name_ + "@billing"};
        const Reply set = co_await client_.command("SET", key_, value, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        ++grants_;
        co_return Grant{value, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kDeleteIfNamed, key_, name_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    std::uint64_t grants_ = 0;
    std::string name_;
};

// Idea: one script takes the lock and answers 0, or answers how many seconds the holder has left.
// Mistake: 900 ms left are 0 seconds: A crashes, B and C both read 0 before A's key is gone; in.
class SecondsLeft final : public Lock {
public:
    SecondsLeft(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply left = co_await client_.eval(kTakeOrSecondsLeft, key_, token_, milliseconds());
        if (left.is_unknown()) co_return Unknown{};
        if (!left.is_integer(0)) co_return Refused{};
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    Token token_;
};

// Idea: tokens count up; a release may also delete an older one's leavings, never a newer lock.
// Mistake: compared as text: A's release of 9 is sent again and finds B's "10" <= "9"; C in.
class OlderAsText final : public Lock {
public:
    OlderAsText(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        const Key fence{key_.name + ":fence"};
        const Reply number = co_await client_.command("INCR", fence);
        if (number.is_unknown()) co_return Unknown{};
        token_ = Token{std::to_string(number.as_integer())};
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kDeleteUpToMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    Token token_;
};

// Idea: the release's script loops over the token and those of the last three tries in doubt.
// Mistake: none: a token in doubt was never granted, so whoever deletes it harms nobody.
class GivesBackDoubts final : public Lock {
public:
    GivesBackDoubts(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", milliseconds());
        if (set.is_unknown()) {
            doubts_[next_] = token_;
            next_ = (next_ + 1) % doubts_.size();
            co_return Unknown{};
        }
        if (!set.is_ok()) co_return Refused{};
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kDeleteIfAnyOfMine, key_, token_, doubts_[0],
                                                    doubts_[1], doubts_[2]);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    Token token_;
    std::array<Token, 3> doubts_;
    std::size_t next_ = 0;
};

}  // namespace

void add_stranger_scripts(std::vector<Entry>& entries) {
    entries.push_back(broken("dash_is_magic", "set_nx_lua", {Hazard::retry}, Cause::foreign_delete,
                             "The release's string.find takes its token for a pattern, which fits "
                             "other clients' tokens of the same round.",
                             kLease, make<DashIsMagic>));
    entries.push_back(broken("seconds_left", "set_nx_lua", {Hazard::crash}, Cause::no_key,
                             "Less than one second left is rounded down to 0, which means "
                             "\"taken\".",
                             kLease, make<SecondsLeft>));
    entries.push_back(broken("older_as_text", "set_nx_lua", {Hazard::retry}, Cause::foreign_delete,
                             "A release sent again compares numbers as text and deletes a newer "
                             "lock with more digits.",
                             kLease, make<OlderAsText>));
    entries.push_back(
        correct("gives_back_doubts", "set_nx_lua",
                {Hazard::contention, Hazard::crash, Hazard::lose_request, Hazard::lose_reply,
                 Hazard::clock_offset, Hazard::clock_jump, Hazard::delay_request, Hazard::retry},
                "The release deletes its own token and those of its tries without "
                "an answer.",
                kLease, make<GivesBackDoubts>));
}

}  // namespace locklab::corpus
