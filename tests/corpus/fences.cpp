// How fencing tokens are drawn: before the lock, at its end, from a clock, from a counter that
// goes.
#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

/// The parent is fenced, whose one script takes the key and counts. Here the token is drawn by a
/// command of its own.
struct DrawsAfter : TokenLock {
    using TokenLock::TokenLock;
    Task<Acquired> try_acquire() override {
        token_ = new_token();
        const Reply taken = co_await take();
        if (taken.failed()) co_return Failed{taken};
        if (!took(taken)) co_return Refused{};
        const Reply drawn = co_await draw();
        if (drawn.failed()) co_return Failed{drawn};
        co_return grant(drawn);
    }
    virtual Task<Reply> draw() { return ask("INCR", key_.name + ":fence"); }
    Acquired grant(const Reply& drawn) const {
        return Grant{token_, options_.ttl, static_cast<std::uint64_t>(drawn.as_integer())};
    }
};

struct DrawsBefore final : DrawsAfter {
    using DrawsAfter::DrawsAfter;
    Task<Acquired> try_acquire() override {
        token_ = new_token();
        const Reply drawn = co_await draw();
        if (drawn.failed()) co_return Failed{drawn};
        const Reply taken = co_await take();
        if (taken.failed()) co_return Failed{taken};
        if (!took(taken)) co_return Refused{};
        co_return grant(drawn);
    }
};

struct ReadsItsClock final : DrawsAfter {
    using DrawsAfter::DrawsAfter;
    Task<Reply> draw() override { co_return Reply::integer(us(client_.now()) / 1000); }
};

constexpr Script kTakeAndLook{
    "take_and_look",
    "if not redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end "
    "return (tonumber(redis.call('get', KEYS[1] .. ':fence') or '0')) + 1"};
constexpr Script kCountAndFree{"count_and_free",
                               "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                               "redis.call('incr', KEYS[1] .. ':fence') "
                               "return redis.call('del', KEYS[1])"};

constexpr Script kCountForAWhile{
    "count_for_a_while",
    "if not redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end "
    "local drawn = redis.call('incr', KEYS[1] .. ':fence') "
    "redis.call('pexpire', KEYS[1] .. ':fence', ARGV[2]) "
    "return drawn"};

constexpr Script kTakeOrKeep{
    "take_or_keep",
    "local holder = redis.call('get', KEYS[1]) "
    "if holder and holder ~= ARGV[1] then return 0 end "
    "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) "
    "if holder then return tonumber(redis.call('get', KEYS[1] .. ':fence')) end "
    "return redis.call('incr', KEYS[1] .. ':fence')"};

struct KeepsItsToken final : DrawnBy<kTakeOrKeep> {
    using DrawnBy::DrawnBy;
    Token new_token() override { return token_.text.empty() ? client_.fresh_token() : token_; }
};

}  // namespace

void add_fences(std::vector<Entry>& entries) {
    const Theme add(entries, kLease);
    add.broken<DrawsBefore>(
        "draws_before", "fenced", {}, Cause::old_token,
        "The token is drawn first, and another may be drawn and shown before the lock is taken.");
    add.broken<FreedBy<kCountAndFree, DrawnBy<kTakeAndLook>>>(
        "counts_at_the_end", "fenced", {Hazard::crash}, Cause::old_token,
        "The release counts, so who comes after a crash gets the same token.");
    add.broken<ReadsItsClock>("token_of_its_clock", "fenced", {Hazard::clock_offset},
                              Cause::old_token, "The token is the time of day, and clocks differ.");
    add.broken<DrawnBy<kCountForAWhile>>(
        "counter_goes", "fenced", {Hazard::crash}, Cause::old_token,
        "The counter has a time to live, too, and ends with the lock.");
    add.correct<DrawsAfter>("draws_after", "fenced", calm(),
                            "Who has the lock draws its token, and shows it as soon as it has it.");
    add.correct<KeepsItsToken>("keeps_its_token", "fenced",
                               {Hazard::crash, Hazard::lose_request, Hazard::lose_reply},
                               "Whose release was lost still has the lock, and its token.");
}

}  // namespace locklab::corpus
