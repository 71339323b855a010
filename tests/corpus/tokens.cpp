// Tokens that are not as unlike as they should be, and some that only look so.

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using std::chrono::seconds;
using enum Hazard;

/// Asks for the lock as it should, but for one client of the fleet that was not updated.
struct OneForgetsNx final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        if (client_.id().value != 1) return TokenLock::take();
        return ask("SET", key_, token_, "PX", ttl_ms());
    }
};

struct TokenIsClientNumber final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override { return Token{number()}; }
};

struct TokenFromCounter final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override { return Token{std::to_string(count_)}; }
    void granted() override { ++count_; }
    std::uint64_t count_ = 1;
};

struct TokenFromIdAndCounter final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override { return Token{number() + ":" + std::to_string(++count_)}; }
    std::uint64_t count_ = 0;
};

/// 1 + 2 and 2 + 1 are the same.
struct TokenFromSum final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override { return Token{std::to_string(client_.id().value + count_)}; }
    void granted() override { ++count_; }
    std::uint64_t count_ = 1;
};

struct TokenCut final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override { return Token{client_.fresh_token().text.substr(0, 1)}; }
};

struct TokenHashed final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override {
        unsigned hash = 0;
        for (const char c : client_.fresh_token().text) hash += static_cast<unsigned char>(c);
        return Token{std::to_string(hash % 2)};
    }
};

struct TokenShared final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override { return Token{"locked"}; }
};

/// The token that was made after the grant before: in the first round it is none, whoever asks.
struct TokenMadeTooLate final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override { return next_; }
    void granted() override { next_ = client_.fresh_token(); }
    Token next_{"none"};
};

/// Seconds of a clock: two grants in one second have the same.
struct TokenIsTime final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override {
        return Token{std::to_string(us(client_.now()) / us(options_.clock_unit))};
    }
};

constexpr Script kComparePrefix{"compare_prefix",
                                "local value = redis.call('get', KEYS[1]) "
                                "if value and string.sub(value, 1, 1) == string.sub(ARGV[1], 1, 1) "
                                "then return redis.call('del', KEYS[1]) else return 0 end"};

constexpr Script kTakeOrKnowAgain{
    "take_or_know_again",
    "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end "
    "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
    "redis.call('pexpire', KEYS[1], ARGV[2]) "
    "return 1"};

/// A try that was not answered is made again with the same token, which the script knows again.
struct SameTokenUntilGranted final : TakenBy<kTakeOrKnowAgain> {
    using TakenBy::TakenBy;
    Token new_token() override {
        if (std::exchange(over_, false)) pending_ = client_.fresh_token();
        return pending_;
    }
    void granted() override { over_ = true; }
    Token pending_;
    bool over_ = true;
};

}  // namespace

constexpr LockOptions kTenthTime{
    .ttl = seconds(10), .retry = std::chrono::milliseconds(100), .clock_unit = seconds(10)};

void add_tokens(std::vector<Entry>& entries) {
    const Theme add(entries, kLease);
    add.broken<OneForgetsNx>("one_forgets_nx", "set_nx_lua", {}, Cause::overwritten,
                             "The second client sends SET without NX.");
    add.broken<OneToken<>>(
        "token_per_client", "set_nx_lua", {delay_request}, Cause::token_collision,
        "A client has one token for all its rounds, so a late release of one undoes the next.");
    add.broken<TokenIsClientNumber>("token_is_client_number", "set_nx_lua", {delay_request},
                                    Cause::token_collision,
                                    "The token is the client's number, the same in every round.");
    add.broken<TokenFromCounter>(
        "token_from_counter", "set_nx_lua", {delay_request}, Cause::token_collision,
        "The token is a counter of the client, and all clients begin at 1.");
    add.broken<TokenFromSum>("token_from_sum", "set_nx_lua", {delay_request},
                             Cause::token_collision,
                             "The token is id plus counter, so neighbours have the same.");
    add.broken<TokenCut>("token_cut", "set_nx_lua", {delay_request}, Cause::token_collision,
                         "Of a good token only the first character is used.");
    add.broken<TokenHashed>("token_hashed", "set_nx_lua", {delay_request}, Cause::token_collision,
                            "A good token is hashed into one of two values.");
    add.broken<TokenShared>("token_shared", "set_nx_lua", {delay_request}, Cause::token_collision,
                            "All clients write the same token, so comparing it means nothing.");
    add.broken<TokenMadeTooLate>("token_made_too_late", "set_nx_lua", {delay_request},
                                 Cause::token_collision,
                                 "The token is made after the SET that should have carried it.");
    Theme(entries, kTenthTime)
        .broken<TokenIsTime>("token_is_time", "set_nx_lua", {retry}, Cause::token_collision,
                             "The token is the time in whole seconds.");
    add.broken<FreedBy<kComparePrefix>>(
        "prefix_compared", "set_nx_lua", {delay_request}, Cause::foreign_delete,
        "The release compares the first character of the tokens only.");
    add.correct<TokenFromIdAndCounter>(
        "token_from_id_and_counter", "set_nx_lua", calm(),
        "Number and counter of a client make a token that nobody else has.");
    add.correct<SameTokenUntilGranted>(
        "same_token_until_granted", "set_nx_lua", calm(),
        "A try that was not answered is made again with the same token, and knows its own key "
        "again.");
}

}  // namespace locklab::corpus
