// How fencing tokens are drawn: before the lock, at its end, from a clock, from a counter that
// goes.
#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

/// The parent is fenced, whose one script takes the key and counts.
class Counting : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Key counter() const { return Key{key_.name + ":fence"}; }
    Acquired grant(const Reply& drawn) const {
        return Grant{token_, options_.ttl, static_cast<std::uint64_t>(drawn.as_integer())};
    }
};

class DrawsBefore final : public Counting {
public:
    using Counting::Counting;
    Task<Acquired> try_acquire() override {
        token_ = new_token();
        const Reply drawn = co_await client_.command("INCR", counter());
        if (drawn.failed()) co_return Failed{drawn};
        const Reply taken = co_await take();
        if (taken.failed()) co_return Failed{taken};
        if (!took(taken)) co_return Refused{};
        co_return grant(drawn);
    }
};

class DrawsAfter final : public Counting {
public:
    using Counting::Counting;
    Task<Acquired> try_acquire() override {
        token_ = new_token();
        const Reply taken = co_await take();
        if (taken.failed()) co_return Failed{taken};
        if (!took(taken)) co_return Refused{};
        const Reply drawn = co_await client_.command("INCR", counter());
        if (drawn.failed()) co_return Failed{drawn};
        co_return grant(drawn);
    }
};

/// One script takes the key, and its reply is the token; 0: another has the lock.
class AsksOnce : public Counting {
public:
    using Counting::Counting;

protected:
    Task<Acquired> ask(const Script& script) {
        const Reply drawn = co_await client_.eval(script, key_, token_, ttl_ms());
        if (drawn.failed()) co_return Failed{drawn};
        if (drawn.is_integer(0)) co_return Refused{};
        co_return grant(drawn);
    }
};

constexpr Script kTakeAndLook{
    "take_and_look",
    "if not redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end "
    "return (tonumber(redis.call('get', KEYS[1] .. ':fence') or '0')) + 1"};
constexpr Script kCountAndFree{"count_and_free",
                               "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                               "redis.call('incr', KEYS[1] .. ':fence') "
                               "return redis.call('del', KEYS[1])"};

class CountsAtTheEnd final : public AsksOnce {
public:
    using AsksOnce::AsksOnce;
    Task<Acquired> try_acquire() override {
        token_ = new_token();
        return ask(kTakeAndLook);
    }

protected:
    Task<Reply> give_back() override {
        const Reply reply = co_await client_.eval(kCountAndFree, key_, token_);
        co_return reply;
    }
};

class ReadsItsClock final : public Counting {
public:
    using Counting::Counting;
    Task<Acquired> try_acquire() override {
        token_ = new_token();
        const Reply taken = co_await take();
        if (taken.failed()) co_return Failed{taken};
        if (!took(taken)) co_return Refused{};
        const auto now = client_.now().time_since_epoch() / std::chrono::milliseconds(1);
        co_return Grant{token_, options_.ttl, static_cast<std::uint64_t>(now)};
    }
};

constexpr Script kCountForAWhile{
    "count_for_a_while",
    "if not redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end "
    "local drawn = redis.call('incr', KEYS[1] .. ':fence') "
    "redis.call('pexpire', KEYS[1] .. ':fence', ARGV[2]) "
    "return drawn"};

class CounterGoes final : public AsksOnce {
public:
    using AsksOnce::AsksOnce;
    Task<Acquired> try_acquire() override {
        token_ = new_token();
        return ask(kCountForAWhile);
    }
};

constexpr Script kTakeOrKeep{
    "take_or_keep",
    "local holder = redis.call('get', KEYS[1]) "
    "if holder and holder ~= ARGV[1] then return 0 end "
    "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) "
    "if holder then return tonumber(redis.call('get', KEYS[1] .. ':fence')) end "
    "return redis.call('incr', KEYS[1] .. ':fence')"};

class KeepsItsToken final : public AsksOnce {
public:
    using AsksOnce::AsksOnce;
    Task<Acquired> try_acquire() override {
        if (token_.text.empty()) token_ = new_token();
        return ask(kTakeOrKeep);
    }
};

}  // namespace

void add_fences(std::vector<Entry>& entries) {
    entries.push_back(broken("draws_before", "fenced", {}, Cause::old_token,
                             "The token is drawn first, and another may be drawn and shown before "
                             "the lock is taken.",
                             kLease, make<DrawsBefore>));
    entries.push_back(broken("counts_at_the_end", "fenced", {Hazard::crash}, Cause::old_token,
                             "The release counts, so who comes after a crash gets the same token.",
                             kLease, make<CountsAtTheEnd>));
    entries.push_back(broken("token_of_its_clock", "fenced", {Hazard::clock_offset},
                             Cause::old_token, "The token is the time of day, and clocks differ.",
                             kLease, make<ReadsItsClock>));
    entries.push_back(broken("counter_goes", "fenced", {Hazard::crash}, Cause::old_token,
                             "The counter has a time to live, too, and ends with the lock.", kLease,
                             make<CounterGoes>));
    const std::vector<Hazard> calm{
        Hazard::crash, Hazard::lose_request, Hazard::lose_reply, Hazard::delay_request,
        Hazard::retry, Hazard::clock_offset, Hazard::clock_jump};
    entries.push_back(
        correct("draws_after", "fenced", calm,
                "Who has the lock draws its token, and shows it as soon as it has it.", kLease,
                make<DrawsAfter>));
    entries.push_back(correct(
        "keeps_its_token", "fenced", {Hazard::crash, Hazard::lose_request, Hazard::lose_reply},
        "Whose release was lost still has the lock, and its token.", kLease, make<KeepsItsToken>));
}

}  // namespace locklab::corpus
