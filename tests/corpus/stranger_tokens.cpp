// Locks by a stranger: what the token is made of.
#include <string>

#include "tests/corpus/corpus.h"

namespace locklab::corpus {

namespace {

constexpr LockOptions kLease{.ttl = std::chrono::seconds(10),
                             .retry = std::chrono::milliseconds(100)};

constexpr Script kDeleteIfMine{
    "tokens_delete_if_mine",
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"};

constexpr Script kExtendIfMine{"tokens_extend_if_mine",
                               "if redis.call('get', KEYS[1]) == ARGV[1] "
                               "then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"};

// Idea: a token for each round, so that a try whose reply was lost finds its own key again.
// Mistake: cut to 8, rounds look alike: A's release is late, A finds "its" key, late DEL, B in.
class CutToEight final : public Lock {
public:
    CutToEight(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        const std::string id = std::to_string(client_.id().value);
        const std::string name = "client-" + id + "-" + std::to_string(round_);
        const Token token{name.substr(0, 8)};
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) {
            const Reply mine = co_await client_.eval(kExtendIfMine, key_, token, milliseconds());
            if (mine.is_unknown()) co_return Unknown{};
            if (!mine.is_integer(1)) co_return Refused{};
        }
        token_ = token;
        ++round_;
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
    std::uint64_t round_ = 0;
    Token token_;
};

// Idea: a try without an answer is taken back at once; a token never granted is still fresh.
// Mistake: SET t lost, take-back of t late, A holds under t, take-back deletes it, B in.
class KeptAfterUnknown final : public Lock {
public:
    KeptAfterUnknown(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        if (used_) token_ = client_.fresh_token();
        used_ = false;
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", milliseconds());
        if (set.is_unknown()) {
            const Reply back = co_await client_.eval(kDeleteIfMine, key_, token_);
            if (back.is_integer(1)) co_return Refused{};
            co_return Unknown{};
        }
        if (!set.is_ok()) co_return Refused{};
        used_ = true;
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
    bool used_ = true;
    Token token_;
};

// Idea: a number is token enough: the client in the low bit, its round above.
// Mistake: client 2 spills over: its DEL of "2" is sent again and fits client 0's 2nd round; 1 in.
class OneBitForClient final : public Lock {
public:
    OneBitForClient(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        const std::uint64_t number = (round_ << 1U) | client_.id().value;
        const Token token{std::to_string(number)};
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        token_ = token;
        ++round_;
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
    std::uint64_t round_ = 0;
    Token token_;
};

// Idea: the same number, with room for 1024 clients, and counted for each try, not each round.
// Mistake: none: no two tries of any clients share a number.
class RoomForTheClient final : public Lock {
public:
    RoomForTheClient(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        const std::uint64_t number = (++tries_ << 10U) | client_.id().value;
        token_ = Token{std::to_string(number)};
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
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
    std::uint64_t tries_ = 0;
    Token token_;
};

}  // namespace

void add_stranger_tokens(std::vector<Entry>& entries) {
    entries.push_back(broken("cut_to_eight", "set_nx_lua", {Hazard::delay_request},
                             Cause::token_collision,
                             "The round is cut off the token, so a late release fits the next "
                             "round's key, which the client has recognised as its own.",
                             kLease, make<CutToEight>));
    entries.push_back(broken("kept_after_unknown", "set_nx_lua",
                             {Hazard::lose_request, Hazard::delay_request}, Cause::token_collision,
                             "The try after an Unknown uses the token that a late take-back still "
                             "deletes.",
                             kLease, make<KeptAfterUnknown>));
    entries.push_back(broken("one_bit_for_client", "set_nx_lua", {Hazard::retry},
                             Cause::token_collision,
                             "Client 2 and client 0's second round have the same number, so a "
                             "release sent again deletes the other's lock.",
                             kLease, make<OneBitForClient>));
    entries.push_back(
        correct("room_for_the_client", "set_nx_lua",
                {Hazard::contention, Hazard::crash, Hazard::lose_request, Hazard::lose_reply,
                 Hazard::clock_offset, Hazard::clock_jump, Hazard::delay_request, Hazard::retry},
                "The token is a number of the client's own, made of its id and a "
                "count of its tries.",
                kLease, make<RoomForTheClient>));
}

}  // namespace locklab::corpus
