// Locks by a stranger: what the token is made of.
#include <string>

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

/// Its tokens are numbers, or made of one, and the number goes up with each grant.
struct CountedTokens : TokenLock {
    using TokenLock::TokenLock;
    void granted() override { ++round_; }
    std::uint64_t round_ = 0;
};

// Idea: a token for each round, so that a try whose reply was lost finds its own key again.
// Mistake: cut to 8, rounds look alike: A's release is late, A finds "its" key, late DEL, B in.
struct CutToEight final : FindsItsOwn<CountedTokens> {
    using FindsItsOwn::FindsItsOwn;
    Token new_token() override {
        const std::string name = "client-" + number() + "-" + std::to_string(round_);
        return Token{name.substr(0, 8)};
    }
};

// Idea: a try without an answer is taken back at once; a token never granted is still fresh.
// Mistake: SET t lost, take-back of t late, A holds under t, take-back deletes it, B in.
struct KeptAfterUnknown final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override {
        return std::exchange(used_, false) ? client_.fresh_token() : token_;
    }
    Task<Reply> take() override {
        Reply set = co_await TokenLock::take();
        if (!set.is_unknown()) co_return set;
        const Reply back = co_await give_back();
        co_return back.is_integer(1) ? Reply::nil() : set;
    }
    void granted() override { used_ = true; }
    bool used_ = true;
};

// Idea: a number is token enough: the client in the low bit, its round above.
// Mistake: client 2 spills over: its DEL of "2" is sent again and fits client 0's 2nd round; 1 in.
struct OneBitForClient final : CountedTokens {
    using CountedTokens::CountedTokens;
    Token new_token() override {
        return Token{std::to_string((round_ << 1U) | client_.id().value)};
    }
};

// Idea: the same number, with room for 1024 clients, and counted for each try, not each round.
// Mistake: none: no two tries of any clients share a number.
struct RoomForTheClient final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override {
        return Token{std::to_string((++tries_ << 10U) | client_.id().value)};
    }
    std::uint64_t tries_ = 0;
};

}  // namespace

void add_stranger_tokens(std::vector<Entry>& entries) {
    const Theme add(entries, kSeconds);
    add.broken<CutToEight>("cut_to_eight", "set_nx_lua", {delay_request}, Cause::token_collision,
                           "The round is cut off the token, so a late release fits the next "
                           "round's key, which the client has recognised as its own.");
    add.broken<KeptAfterUnknown>(
        "kept_after_unknown", "set_nx_lua", {lose_request, delay_request}, Cause::token_collision,
        "The try after an Unknown uses the token that a late take-back still deletes.");
    add.broken<OneBitForClient>("one_bit_for_client", "set_nx_lua", {retry}, Cause::token_collision,
                                "Client 2 and client 0's second round have the same number, so a "
                                "release sent again deletes the other's lock.");
    add.correct<RoomForTheClient>(
        "room_for_the_client", "set_nx_lua", contended(calm()),
        "The token is a number of the client's own, made of its id and a count of its tries.");
}

}  // namespace locklab::corpus
