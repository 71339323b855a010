// Tokens that are not as unlike as they should be, and some that only look so.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using std::chrono::seconds;
using enum Hazard;

/// Asks for the lock as it should, but for one client of the fleet that was not updated.
class OneForgetsNx final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> take() override {
        if (client_.id().value == 1) {
            const Reply set = co_await client_.command("SET", key_, token_, "PX", ttl_ms());
            co_return set;
        }
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        co_return set;
    }
};

class TokenPerClient final : public TokenLock {
public:
    TokenPerClient(Client& client, Key key, const LockOptions& options)
        : TokenLock(client, std::move(key), options), mine_(client.fresh_token()) {}

private:
    Token new_token() override { return mine_; }
    const Token mine_;
};

class TokenIsClientNumber final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override { return Token{std::to_string(client_.id().value)}; }
};

class TokenFromCounter final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override { return Token{std::to_string(count_)}; }
    void granted() override { ++count_; }
    std::uint64_t count_ = 1;
};

class TokenFromIdAndCounter final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override {
        return Token{std::to_string(client_.id().value) + ":" + std::to_string(++count_)};
    }
    std::uint64_t count_ = 0;
};

/// 1 + 2 and 2 + 1 are the same.
class TokenFromSum final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override { return Token{std::to_string(client_.id().value + count_)}; }
    void granted() override { ++count_; }
    std::uint64_t count_ = 1;
};

class TokenCut final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override { return Token{client_.fresh_token().text.substr(0, 1)}; }
};

class TokenHashed final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override {
        unsigned hash = 0;
        for (const char c : client_.fresh_token().text) hash += static_cast<unsigned char>(c);
        return Token{std::to_string(hash % 2)};
    }
};

class TokenShared final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override { return Token{"locked"}; }
};

/// The token that was made after the grant before: in the first round it is none, whoever asks.
class TokenMadeTooLate final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override { return next_; }
    void granted() override { next_ = client_.fresh_token(); }
    Token next_{"none"};
};

/// Seconds of a clock: two grants in one second have the same.
class TokenIsTime final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override {
        return Token{std::to_string(us(client_.now()) / us(options_.clock_unit))};
    }
};

constexpr Script kComparePrefix{"compare_prefix",
                                "local value = redis.call('get', KEYS[1]) "
                                "if value and string.sub(value, 1, 1) == string.sub(ARGV[1], 1, 1) "
                                "then return redis.call('del', KEYS[1]) else return 0 end"};

class PrefixCompared final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Task<Reply> give_back() override {
        const Reply reply = co_await client_.eval(kComparePrefix, key_, token_);
        co_return reply;
    }
};

constexpr Script kTakeOrKnowAgain{
    "take_or_know_again",
    "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end "
    "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
    "redis.call('pexpire', KEYS[1], ARGV[2]) "
    "return 1"};

/// A try that was not answered is made again with the same token, which the script knows again.
class SameTokenUntilGranted final : public TokenLock {
public:
    using TokenLock::TokenLock;

private:
    Token new_token() override {
        if (over_) pending_ = client_.fresh_token();
        over_ = false;
        return pending_;
    }
    Task<Reply> take() override {
        const Reply reply = co_await client_.eval(kTakeOrKnowAgain, key_, token_, ttl_ms());
        co_return reply;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    void granted() override { over_ = true; }
    Token pending_;
    bool over_ = true;
};

}  // namespace

void add_tokens(std::vector<Entry>& entries) {
    entries.push_back(broken("one_forgets_nx", "set_nx_lua", {}, Cause::overwritten,
                             "The second client sends SET without NX.", kLease,
                             make<OneForgetsNx>));
    entries.push_back(broken("token_per_client", "set_nx_lua", {delay_request},
                             Cause::token_collision,
                             "A client has one token for all its rounds, so a late release of one "
                             "undoes the next.",
                             kLease, make<TokenPerClient>));
    entries.push_back(broken("token_is_client_number", "set_nx_lua", {delay_request},
                             Cause::token_collision,
                             "The token is the client's number, the same in every round.", kLease,
                             make<TokenIsClientNumber>));
    entries.push_back(broken("token_from_counter", "set_nx_lua", {delay_request},
                             Cause::token_collision,
                             "The token is a counter of the client, and all clients begin at 1.",
                             kLease, make<TokenFromCounter>));
    entries.push_back(broken(
        "token_from_sum", "set_nx_lua", {delay_request}, Cause::token_collision,
        "The token is id plus counter, so neighbours have the same.", kLease, make<TokenFromSum>));
    entries.push_back(broken("token_cut", "set_nx_lua", {delay_request}, Cause::token_collision,
                             "Of a good token only the first character is used.", kLease,
                             make<TokenCut>));
    entries.push_back(broken("token_hashed", "set_nx_lua", {delay_request}, Cause::token_collision,
                             "A good token is hashed into one of two values.", kLease,
                             make<TokenHashed>));
    entries.push_back(broken("token_shared", "set_nx_lua", {delay_request}, Cause::token_collision,
                             "All clients write the same token, so comparing it means nothing.",
                             kLease, make<TokenShared>));
    entries.push_back(broken("token_made_too_late", "set_nx_lua", {delay_request},
                             Cause::token_collision,
                             "The token is made after the SET that should have carried it.", kLease,
                             make<TokenMadeTooLate>));
    entries.push_back(broken(
        "token_is_time", "set_nx_lua", {retry}, Cause::token_collision,
        "The token is the time in whole seconds.",
        {.ttl = seconds(10), .retry = std::chrono::milliseconds(100), .clock_unit = seconds(10)},
        make<TokenIsTime>));
    entries.push_back(broken("prefix_compared", "set_nx_lua", {delay_request},
                             Cause::foreign_delete,
                             "The release compares the first character of the tokens only.", kLease,
                             make<PrefixCompared>));
    entries.push_back(
        correct("token_from_id_and_counter", "set_nx_lua",
                {crash, lose_request, lose_reply, delay_request, retry, clock_offset, clock_jump},
                "Number and counter of a client make a token that nobody else has.", kLease,
                make<TokenFromIdAndCounter>));
    entries.push_back(
        correct("same_token_until_granted", "set_nx_lua",
                {crash, lose_request, lose_reply, delay_request, retry, clock_offset, clock_jump},
                "A try that was not answered is made again with the same token, and "
                "knows its own key again.",
                kLease, make<SameTokenUntilGranted>));
}

}  // namespace locklab::corpus
