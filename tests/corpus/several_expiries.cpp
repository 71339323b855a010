// Locks that set more than one key to expire: heartbeats, places in a queue, markers; and locks
// that ask the server's clock where nobody looks for it.
#include <string>

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

constexpr Script kTakeUnlessAlive{
    "take_unless_alive",
    "if redis.call('exists', KEYS[1]) == 1 and redis.call('exists', KEYS[1] .. ':alive') == 1 "
    "then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2] * 3) "
    "redis.call('set', KEYS[1] .. ':alive', 1, 'PX', ARGV[2]) "
    "return 1"};

constexpr Script kTakeUnlessBeating{
    "take_unless_beating",
    "if redis.call('exists', KEYS[1] .. ':alive') == 1 then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) "
    "redis.call('set', KEYS[1] .. ':alive', 1, 'PX', math.floor(ARGV[2] / 10)) "
    "return 1"};

constexpr Script kReleaseBoth{"release_both",
                              "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                              "redis.call('del', KEYS[1] .. ':alive') "
                              "return redis.call('del', KEYS[1])"};

// Idea: the lock is a key and a heartbeat; it is free where either is gone.
// Mistake: none: the heartbeat lives for the whole lease.
class HeartbeatBeside final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override { return run(kTakeUnlessAlive, key_, token_, ttl_ms()); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override { return run(kReleaseBoth, key_, token_); }
};

// Idea: the lock is free once its heartbeat is gone.
// Mistake: the heartbeat lives for a tenth of the lease, and nobody renews it.
class ShortHeartbeat final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override { return run(kTakeUnlessBeating, key_, token_, ttl_ms()); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override { return run(kReleaseBoth, key_, token_); }
};

constexpr Script kTakeInTurn{
    "take_in_turn",
    "local place = redis.call('get', KEYS[1] .. ':next') "
    "if redis.call('exists', KEYS[1]) == 1 or (place and place ~= ARGV[2]) then "
    "if not place then redis.call('set', KEYS[1] .. ':next', ARGV[2], 'PX', 1000) end "
    "return 0 end "
    "redis.call('del', KEYS[1] .. ':next') "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[3]) "
    "return 1"};

constexpr Script kTakeMyTurn{
    "take_my_turn",
    "if redis.call('get', KEYS[1] .. ':next') == ARGV[2] then "
    "redis.call('del', KEYS[1] .. ':next') "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[3]) "
    "return 1 end "
    "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[3]) then return 1 end "
    "redis.call('set', KEYS[1] .. ':next', ARGV[2], 'NX', 'PX', ARGV[3] * 2) "
    "return 0"};

// Idea: who is refused leaves its name as the next one; nobody else passes while that lasts.
// Mistake: none: the name expires, and the lock's own key is asked as well.
class PlaceInQueue final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override { return run(kTakeInTurn, key_, token_, number(), ttl_ms()); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
};

// Idea: who is refused leaves its name as the next one, and then takes the lock first.
// Mistake: the next one does not ask whether the lock's key is gone.
class TurnWithoutAsking final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override { return run(kTakeMyTurn, key_, token_, number(), ttl_ms()); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
};

constexpr Script kTakeByMarker{
    "take_by_marker",
    "if not redis.call('set', KEYS[1] .. ':busy', 1, 'NX', 'PX', ARGV[2]) then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2] * 2) "
    "return 1"};

// Idea: a marker says that the lock is busy, the key says whose it is; both are deleted.
// Mistake: the marker is deleted by a command of its own, which asks nobody whose it is.
class MarkerDeletedAlone final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override { return run(kTakeByMarker, key_, token_, ttl_ms()); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override {
        const Reply gone = co_await client_.eval(kCompareAndDelete, key_, token_);
        if (gone.failed()) co_return gone;
        const Key busy{key_.name + ":busy"};
        co_await client_.command("DEL", busy);
        co_return gone;
    }
};

constexpr Script kTakeUntilHidden{
    "take_until_hidden",
    "-- the holder's deadline is over\n"
    "local now = redis.call('ti' .. 'me')\n"
    "local ms = now[1] * 1000 + now[2]\n"
    "local held = redis.call('get', KEYS[1])\n"
    "if held and ms <= tonumber(string.match(held, ':(%d+)$')) then return 0 end\n"
    "redis.call('set', KEYS[1], ARGV[1] .. ':' .. (ms + ARGV[2]))\n"
    "return 1"};

constexpr Script kDeleteIfPrefixed{"delete_if_prefixed",
                                   "local held = redis.call('get', KEYS[1])\n"
                                   "if held and string.match(held, '^(.-):') == ARGV[1] then "
                                   "return redis.call('del', KEYS[1]) end\n"
                                   "return 0"};

// Idea: the value is the token and a deadline by the server's clock.
// Mistake: TIME's microseconds are added to milliseconds: its clock is up to 1,000 s ahead.
class MicrosecondsAdded final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override { return run(kTakeUntilHidden, key_, token_, ttl_ms()); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override { return run(kDeleteIfPrefixed, key_, token_); }
};

constexpr Script kTakeUntilInstant{
    "take_until_instant",
    "local now = redis.call([[TIME]])\n"
    "local ms = now[1] * 1000 + math.floor(now[2] / 1000)\n"
    "if redis.call('set', KEYS[1], ARGV[1], 'NX', ARGV[3], string.format('%d', ms + ARGV[2])) "
    "then return 1 end\n"
    "return 0"};

// Idea: the script works out the instant at which the key expires, and PXAT is an argument.
// Mistake: none.
class ExpiresAtInstant final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override { return run(kTakeUntilInstant, key_, token_, ttl_ms(), "PXAT"); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
};

// From here on by somebody who has read the code.

constexpr Script kRenewHeartbeat{"renew_heartbeat",
                                 "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                                 "redis.call('set', KEYS[1] .. ':alive', 1, 'PX', ARGV[2]) "
                                 "return 1"};

constexpr Script kTakeUnlessBeats{
    "take_unless_beats",
    "if redis.call('exists', KEYS[1] .. ':alive') == 1 then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1]) "
    "redis.call('set', KEYS[1] .. ':alive', 1, 'PX', ARGV[2]) "
    "redis.call('set', KEYS[1] .. ':seen', ARGV[1], 'PX', ARGV[2] * 2) "
    "return 1"};

// Idea: the key never expires; a watchdog renews the heartbeat, and a marker says who was last.
// Mistake: none: only the key's owner renews the heartbeat.
class RenewedHeartbeat : public WatchedLock {
public:
    using WatchedLock::WatchedLock;

protected:
    Task<Reply> take() override { return run(kTakeUnlessBeats, key_, token_, ttl_ms()); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> renew() override { return run(kRenewHeartbeat, key_, token_, ttl_ms()); }
    Task<Reply> give_back() override { return run(kReleaseBoth, key_, token_); }
};

constexpr Script kTakeWithoutHeartbeat{
    "take_without_heartbeat",
    "if redis.call('exists', KEYS[1] .. ':alive') == 1 then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) "
    "return 1"};

// Idea: the heartbeat is set by a command of its own, once the lock is had.
// Mistake: between the two the lock looks abandoned.
class HeartbeatAfterwards final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override {
        const Reply took = co_await client_.eval(kTakeWithoutHeartbeat, key_, token_, ttl_ms());
        if (!took.is_integer(1)) co_return took;
        const Key alive{key_.name + ":alive"};
        co_await client_.command("SET", alive, "1", "PX", ttl_ms());
        co_return took;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override { return run(kReleaseBoth, key_, token_); }
};

constexpr Script kTakeOutsideCooldown{
    "take_outside_cooldown",
    "if redis.call('get', KEYS[1] .. ':last') == ARGV[3] then return 0 end "
    "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end "
    "return 0"};

constexpr Script kReleaseAndCool{"release_and_cool",
                                 "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                                 "redis.call('set', KEYS[1] .. ':last', ARGV[2], 'PX', ARGV[3]) "
                                 "return redis.call('del', KEYS[1])"};

// Idea: who gives the lock back leaves a marker, and does not take it again while that lasts.
// Mistake: none: the marker expires by itself.
class CoolsDown final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override {
        return run(kTakeOutsideCooldown, key_, token_, ttl_ms(), number());
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override {
        return run(kReleaseAndCool, key_, token_, number(), ttl_ms() / 10);
    }
};

constexpr Script kTakeUnlessBoth{
    "take_unless_both",
    "if redis.call('exists', KEYS[1]) == 1 and redis.call('exists', KEYS[1] .. ':alive') == 1 "
    "then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) "
    "redis.call('set', KEYS[1] .. ':alive', 1, 'PX', ARGV[2]) "
    "return 1"};

// Idea: two keys make the lock, which is free where one is gone.
// Mistake: the watchdog renews only the first.
class RenewsOneOfTwo final : public WatchedLock {
public:
    using WatchedLock::WatchedLock;

protected:
    Task<Reply> take() override { return run(kTakeUnlessBoth, key_, token_, ttl_ms()); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override { return run(kReleaseBoth, key_, token_); }
};

}  // namespace

void add_several_expiries(std::vector<Entry>& entries) {
    const std::vector<Hazard> all = contended(calm());
    entries.push_back(correct("heartbeat_beside", "set_nx_lua", all,
                              "Lock and heartbeat are set together, and the heartbeat lives for "
                              "the whole lease.",
                              kLease, make<HeartbeatBeside>));
    entries.push_back(broken("short_heartbeat", "heartbeat_beside", {}, Cause::overwritten,
                             "The heartbeat lives for a tenth of the lease, and who finds it gone "
                             "takes the lock.",
                             kLease, make<ShortHeartbeat>));
    entries.push_back(correct("place_in_queue", "set_nx_lua", all,
                              "Who is next is a key that expires, and the lock's key is asked too.",
                              kLease, make<PlaceInQueue>));
    entries.push_back(broken("turn_without_asking", "place_in_queue", {}, Cause::overwritten,
                             "Who is next takes the lock though its key is there.", kLease,
                             make<TurnWithoutAsking>));
    entries.push_back(broken("marker_deleted_alone", "heartbeat_beside", {Hazard::retry},
                             Cause::overwritten,
                             "The DEL of the marker is sent again, and another's marker is gone.",
                             kLease, make<MarkerDeletedAlone>));
    entries.push_back(broken("microseconds_added", "set_nx_lua", {}, Cause::overwritten,
                             "TIME's microseconds are added to milliseconds, so that a deadline "
                             "is soon past.",
                             kLease, make<MicrosecondsAdded>));
    entries.push_back(correct("expires_at_instant", "set_nx_lua",
                              {Hazard::contention, Hazard::crash, Hazard::lose_request,
                               Hazard::lose_reply, Hazard::delay_request, Hazard::retry},
                              "The instant at which the key expires is the server's TIME and a "
                              "TTL.",
                              kLease, make<ExpiresAtInstant>));
    entries.push_back(
        correct("renewed_heartbeat", "watchdog_owned",
                {Hazard::contention, Hazard::slow_job, Hazard::crash, Hazard::lose_request,
                 Hazard::lose_reply, Hazard::delay_request, Hazard::retry},
                "The owner of the key, which never expires, renews the heartbeat.", kWatched,
                make<RenewedHeartbeat>));
    entries.push_back(broken("heartbeat_afterwards", "heartbeat_beside", {}, Cause::overwritten,
                             "Between taking the lock and setting the heartbeat it looks "
                             "abandoned.",
                             kLease, make<HeartbeatAfterwards>));
    entries.push_back(broken("renews_one_of_two", "watchdog_owned", {Hazard::delay_request},
                             Cause::overwritten, "The watchdog renews one of the lock's two keys.",
                             kWatched, make<RenewsOneOfTwo>));
    entries.push_back(correct("cools_down", "set_nx_lua", all,
                              "A marker that expires keeps the last holder away for a while.",
                              kLease, make<CoolsDown>));
}

}  // namespace locklab::corpus
