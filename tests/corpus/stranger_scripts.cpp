// Locks by a stranger: what can go wrong, or right, inside a script.
#include <array>
#include <string>

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

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
struct DashIsMagic final : TokenLock {
    using TokenLock::TokenLock;
    Token new_token() override {
        name_ = number() + "-" + std::to_string(grants_ + 1);
        return Token{name_ + "@billing"};
    }
    void granted() override { ++grants_; }
    Task<Reply> give_back() override { return run(kDeleteIfNamed, key_, name_); }
    std::uint64_t grants_ = 0;
    std::string name_;
};

// Idea: one script takes the lock and answers 0, or answers how many seconds the holder has left.
// Mistake: 900 ms left are 0 seconds: A crashes, B and C both read 0 before A's key is gone; in.
struct SecondsLeft final : TakenBy<kTakeOrSecondsLeft> {
    using TakenBy::TakenBy;
    bool took(const Reply& left) override { return left.is_integer(0); }
};

// Idea: tokens count up; a release may also delete an older one's leavings, never a newer lock.
// Mistake: compared as text: A's release of 9 is sent again and finds B's "10" <= "9"; C in.
struct OlderAsText final : FreedBy<kDeleteUpToMine> {
    using FreedBy::FreedBy;
    Token new_token() override { return token_; }
    Task<Reply> take() override {
        const Key fence{key_.name + ":fence"};
        const Reply drawn = co_await client_.command("INCR", fence);
        if (drawn.is_unknown()) co_return drawn;
        token_ = Token{std::to_string(drawn.as_integer())};
        const Reply set = co_await TokenLock::take();
        co_return set;
    }
};

// Idea: the release's script loops over the token and those of the last three tries in doubt.
// Mistake: none: a token in doubt was never granted, so whoever deletes it harms nobody.
struct GivesBackDoubts final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply set = co_await TokenLock::take();
        if (set.is_unknown()) {
            doubts_[next_] = token_;
            next_ = (next_ + 1) % doubts_.size();
        }
        co_return set;
    }
    Task<Reply> give_back() override {
        return run(kDeleteIfAnyOfMine, key_, token_, doubts_[0], doubts_[1], doubts_[2]);
    }
    std::array<Token, 3> doubts_;
    std::size_t next_ = 0;
};

}  // namespace

void add_stranger_scripts(std::vector<Entry>& entries) {
    const Theme add(entries, kSeconds);
    add.broken<DashIsMagic>("dash_is_magic", "set_nx_lua", {retry}, Cause::foreign_delete,
                            "The release's string.find takes its token for a pattern, which fits "
                            "other clients' tokens of the same round.");
    add.broken<SecondsLeft>(
        "seconds_left", "set_nx_lua", {crash}, Cause::no_key,
        "Less than one second left is rounded down to 0, which means \"taken\".");
    add.broken<OlderAsText>(
        "older_as_text", "set_nx_lua", {retry}, Cause::foreign_delete,
        "A release sent again compares numbers as text and deletes a newer lock with more digits.");
    add.correct<GivesBackDoubts>(
        "gives_back_doubts", "set_nx_lua", contended(calm()),
        "The release deletes its own token and those of its tries without an answer.");
}

}  // namespace locklab::corpus
