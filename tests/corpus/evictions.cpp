// Locks that keep keys beside their own, of which a server may lose any to an eviction.
#include <string>

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

constexpr Script kTakeMirrored{
    "take_mirrored",
    "local mirror = KEYS[1] .. ':mirror' "
    "if redis.call('exists', KEYS[1]) == 1 or redis.call('exists', mirror) == 1 then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) "
    "redis.call('set', mirror, ARGV[1], 'PX', ARGV[2]) "
    "return 1"};
constexpr Script kFreeMirrored{
    "free_mirrored",
    "local freed = 0 "
    "for _, key in ipairs({KEYS[1], KEYS[1] .. ':mirror'}) do "
    "if redis.call('get', key) == ARGV[1] then freed = redis.call('del', key) end end "
    "return freed"};
constexpr Script kTakeMarked{
    "take_marked",
    "local mirror = KEYS[1] .. ':mirror' "
    "if redis.call('exists', KEYS[1]) == 1 or redis.call('exists', mirror) == 1 then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) "
    "redis.call('set', mirror, ARGV[1], 'PX', ARGV[2]) "
    "redis.call('set', KEYS[1] .. ':last', 'taken') "
    "return 1"};
constexpr Script kTakeByMirror{
    "take_by_mirror",
    "if not redis.call('set', KEYS[1] .. ':mirror', ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 "
    "end return 1"};
constexpr Script kFreeMirror{
    "free_mirror",
    "local mirror = KEYS[1] .. ':mirror' "
    "if redis.call('get', mirror) == ARGV[1] then return redis.call('del', mirror) end return 0"};
constexpr Script kTakeBothByMirror{"take_both_by_mirror",
                                   "local mirror = KEYS[1] .. ':mirror' "
                                   "if redis.call('exists', mirror) == 1 then return 0 end "
                                   "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) "
                                   "redis.call('set', mirror, ARGV[1], 'PX', ARGV[2]) "
                                   "return 1"};
constexpr Script kTakeMirroredAndCount{
    "take_mirrored_and_count",
    "local mirror = KEYS[1] .. ':mirror' "
    "if redis.call('exists', KEYS[1]) == 1 or redis.call('exists', mirror) == 1 then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) "
    "redis.call('set', mirror, ARGV[1], 'PX', ARGV[2]) "
    "return redis.call('incr', KEYS[1] .. ':fence')"};
constexpr Script kTakeInHash{"take_in_hash",
                             "local holders = KEYS[1] .. ':holders' "
                             "if redis.call('exists', holders) == 1 then return 0 end "
                             "redis.call('hset', holders, ARGV[1], 1) "
                             "redis.call('pexpire', holders, ARGV[2]) "
                             "return 1"};
constexpr Script kFreeInHash{"free_in_hash",
                             "return redis.call('hdel', KEYS[1] .. ':holders', ARGV[1])"};
constexpr Script kTakeMyOwn{
    "take_my_own",
    "for i = 0, 3 do if redis.call('exists', KEYS[1] .. ':want:' .. i) == 1 then return 0 end end "
    "redis.call('set', KEYS[1] .. ':want:' .. ARGV[2], ARGV[1], 'PX', ARGV[3]) "
    "return 1"};
constexpr Script kFreeMyOwn{
    "free_my_own",
    "local own = KEYS[1] .. ':want:' .. ARGV[2] "
    "if redis.call('get', own) == ARGV[1] then return redis.call('del', own) end return 0"};
constexpr Script kTakeUnlessNamedAlive{
    "take_unless_named_alive",
    "local mirror = KEYS[1] .. ':mirror' "
    "local holder = redis.call('get', KEYS[1]) or redis.call('get', mirror) "
    "if holder and redis.call('exists', KEYS[1] .. ':alive:' .. holder) == 1 then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) "
    "redis.call('set', mirror, ARGV[1], 'PX', ARGV[2]) "
    "redis.call('set', KEYS[1] .. ':alive:' .. ARGV[1], 1, 'PX', ARGV[2]) "
    "return 1"};

constexpr Script kTakeSigned{
    "take_signed",
    "local mirror = KEYS[1] .. ':mirror' "
    "if redis.call('exists', KEYS[1]) == 1 or redis.call('exists', mirror) == 1 then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) "
    "redis.call('set', mirror, ARGV[1], 'PX', ARGV[2]) "
    "redis.call('set', KEYS[1] .. ':by:' .. ARGV[1], 1, 'PX', ARGV[2]) "
    "return 1"};
constexpr Script kFreeSigned{
    "free_signed",
    "local freed = redis.call('del', KEYS[1] .. ':by:' .. ARGV[1]) "
    "for _, key in ipairs({KEYS[1], KEYS[1] .. ':mirror'}) do "
    "if redis.call('get', key) == ARGV[1] then freed = redis.call('del', key) end end "
    "return freed"};
constexpr Script kTakeSignedTwice{
    "take_signed_twice",
    "local mirror = KEYS[1] .. ':mirror' "
    "if redis.call('exists', KEYS[1]) == 1 or redis.call('exists', mirror) == 1 then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) "
    "redis.call('set', mirror, ARGV[1], 'PX', ARGV[2]) "
    "redis.call('set', KEYS[1] .. ':by:' .. ARGV[1] .. ':' .. ARGV[1], 1, 'PX', ARGV[2]) "
    "return 1"};
constexpr Script kTakeSignedOften{
    "take_signed_often",
    "local mirror = KEYS[1] .. ':mirror' "
    "if redis.call('exists', KEYS[1]) == 1 or redis.call('exists', mirror) == 1 then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) "
    "redis.call('set', mirror, ARGV[1], 'PX', ARGV[2]) "
    "for i = 1, 7 do redis.call('set', KEYS[1] .. ':by' .. i .. ':' .. ARGV[1], 1, 'PX', ARGV[2]) "
    "end "
    "return 1"};
constexpr Script kFreeSignedOften{
    "free_signed_often",
    "for i = 1, 7 do redis.call('del', KEYS[1] .. ':by' .. i .. ':' .. ARGV[1]) end "
    "local freed = 0 "
    "for _, key in ipairs({KEYS[1], KEYS[1] .. ':mirror'}) do "
    "if redis.call('get', key) == ARGV[1] then freed = redis.call('del', key) end end "
    "return freed"};

using Mirrored = TwoScripts<kTakeMirrored, kFreeMirrored>;
using Marked = TwoScripts<kTakeMarked, kFreeMirrored>;
using MirrorAlone = TwoScripts<kTakeByMirror, kFreeMirror>;
using AsksTheMirror = TwoScripts<kTakeBothByMirror, kFreeMirrored>;
using InAHash = TwoScripts<kTakeInHash, kFreeInHash>;
using Signed = TwoScripts<kTakeSigned, kFreeSigned>;
using SignedOften = TwoScripts<kTakeSignedOften, kFreeSignedOften>;
using SignedTwice = TwoScripts<kTakeSignedTwice, kFreeMirrored>;
using NamedAlive = TwoScripts<kTakeUnlessNamedAlive, kFreeMirrored>;

/// Both keys, and a counter from which the fencing token is drawn.
struct CounterEvicted final : FreedBy<kFreeMirrored> {
    using FreedBy::FreedBy;
    Task<Acquired> try_acquire() override {
        token_ = new_token();
        const Reply drawn = co_await client_.eval(kTakeMirroredAndCount, key_, token_, ttl_ms());
        if (drawn.failed()) co_return Failed{drawn};
        if (drawn.is_integer(0)) co_return Refused{};
        co_return Grant{token_, options_.ttl, static_cast<std::uint64_t>(drawn.as_integer())};
    }
};

/// A key for each client, named by its number.
struct KeyOfItsOwn final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const Reply reply = co_await client_.eval(kTakeMyOwn, key_, token_, number(), ttl_ms());
        co_return reply;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override {
        const Reply reply = co_await client_.eval(kFreeMyOwn, key_, token_, number());
        co_return reply;
    }
};

/// As a baker's customers: a number is drawn, and the number that is served is waited for.
struct Tickets final : TokenLock {
    using TokenLock::TokenLock;
    Task<Acquired> try_acquire() override {
        if (ticket_ == 0) {
            const Reply drawn = co_await client_.command("INCR", key_.name + ":next");
            if (drawn.failed()) co_return Failed{drawn};
            ticket_ = drawn.as_integer();
        }
        const Reply served = co_await client_.command("GET", key_.name + ":served");
        if (served.failed()) co_return Failed{served};
        const std::int64_t before = served.is_bulk() ? std::stoll(served.text()) : 0;
        if (before + 1 != ticket_) co_return Refused{};
        co_return Grant{Token{std::to_string(ticket_)}, Duration(0)};
    }
    Task<Release> release() override {
        ticket_ = 0;
        const Reply reply = co_await client_.command("INCR", key_.name + ":served");
        co_return reply.is_unknown() ? Release::unknown : Release::yes;
    }
    std::int64_t ticket_ = 0;
};

/// A counter of those who are inside.
struct CountsInside final : TokenLock {
    using TokenLock::TokenLock;
    Task<Acquired> try_acquire() override {
        const Reply count = co_await client_.command("INCR", key_.name + ":inside");
        if (count.failed()) co_return Failed{count};
        if (count.is_integer(1)) co_return Grant{Token{"counted"}, Duration(0)};
        co_await client_.command("DECR", key_.name + ":inside");
        co_return Refused{};
    }
    Task<Release> release() override {
        const Reply reply = co_await client_.command("DECR", key_.name + ":inside");
        co_return reply.is_unknown() ? Release::unknown : Release::yes;
    }
};

}  // namespace

void add_evictions(std::vector<Entry>& entries) {
    const Theme add(entries, kLease);
    std::vector<Hazard> survived = calm();
    survived.push_back(evict);
    add.correct<Mirrored>("mirrored", "set_nx_lua", survived,
                          "It is held while either of two keys is there, and one may go.");
    add.correct<Marked>("mirrored_and_marked", "mirrored", survived,
                        "A third key is written and never asked for.");
    add.correct<Signed>("mirrored_and_signed", "mirrored", survived,
                        "A third key is named by the holder's token and never asked for.");
    add.correct<SignedOften>("mirrored_and_signed_often", "mirrored", survived,
                             "Seven keys are named by each token: a search has room for few.");
    add.correct<SignedTwice>("mirrored_and_signed_twice", "mirrored", survived,
                             "A third key is named by the token twice, and no search evicts it.");
    add.broken<MirrorAlone>("mirror_alone", "mirrored", {evict}, Cause::lost_data,
                            "The lock is a key of another name, and that may go as well.");
    add.broken<AsksTheMirror>("asks_the_mirror", "mirrored", {evict}, Cause::lost_data,
                              "Only the second key is asked for, and that may go.");
    add.broken<CounterEvicted>("counter_evicted", "mirrored", {evict}, Cause::lost_data,
                               "The counter goes, and tokens are drawn again from one.");
    add.broken<InAHash>("held_in_a_hash", "mirrored", {evict}, Cause::lost_data,
                        "The holder is a field of a hash, and the hash goes as a whole.");
    add.broken<KeyOfItsOwn>("key_of_its_own", "mirrored", {evict}, Cause::lost_data,
                            "Each client has a key of its own, and the holder's goes.");
    add.broken<NamedAlive>("named_alive", "mirrored", {evict}, Cause::lost_data,
                           "The sign of life is named by the token, and it goes.");
    add.broken<Mirrored>("mirrored_and_flushed", "in_turn", {flush}, Cause::lost_data,
                         "Either of two keys is enough, and both go at once.");
    const Theme lasting(entries, kNoExpiry);
    lasting.broken<Tickets>("drawn_numbers", "mirrored", {evict}, Cause::lost_data,
                            "The counter goes, and a ticket is drawn a second time.");
    lasting.broken<CountsInside>("counts_inside", "mirrored", {evict}, Cause::lost_data,
                                 "The count of those inside goes, and begins anew at nought.");
}

}  // namespace locklab::corpus
