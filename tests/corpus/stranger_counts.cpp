// Locks by a stranger: who counts, and what.
#include "tests/corpus/corpus.h"

namespace locklab::corpus {

namespace {

constexpr LockOptions kLease{.ttl = std::chrono::seconds(10),
                             .retry = std::chrono::milliseconds(100)};
constexpr LockOptions kRenewed{.ttl = std::chrono::seconds(10),
                               .retry = std::chrono::milliseconds(100),
                               .renewal = std::chrono::seconds(3)};

constexpr Script kDeleteIfMine{
    "counts_delete_if_mine",
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"};

constexpr Script kExtendIfMine{"counts_extend_if_mine",
                               "if redis.call('get', KEYS[1]) == ARGV[1] "
                               "then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"};

constexpr Script kCountIn{
    "counts_count_in",
    "if redis.call('exists', KEYS[1]) == 1 and redis.call('hexists', KEYS[1], ARGV[1]) == 0 "
    "then return 0 end "
    "local count = redis.call('hincrby', KEYS[1], ARGV[1], 1) "
    "redis.call('pexpire', KEYS[1], ARGV[2]) return count"};

constexpr Script kCountOut{"counts_count_out",
                           "if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return -1 end "
                           "local count = redis.call('hincrby', KEYS[1], ARGV[1], -1) "
                           "if count > 0 then return count end "
                           "redis.call('del', KEYS[1]) return 0"};

constexpr Script kExtendIfCounted{
    "counts_extend_if_counted",
    "if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end "
    "return redis.call('pexpire', KEYS[1], ARGV[2])"};

constexpr Script kSetDepth{"counts_set_depth",
                           "local owner = redis.call('hget', KEYS[1], 'owner') "
                           "if owner and owner ~= ARGV[1] then return 0 end "
                           "if not owner and ARGV[2] ~= '1' then return 0 end "
                           "redis.call('hset', KEYS[1], 'owner', ARGV[1]) "
                           "redis.call('hset', KEYS[1], 'depth', ARGV[2]) "
                           "redis.call('pexpire', KEYS[1], ARGV[3]) return 1"};

constexpr Script kLowerDepth{"counts_lower_depth",
                             "if redis.call('hget', KEYS[1], 'owner') ~= ARGV[1] then return 0 end "
                             "if ARGV[2] == '0' then return redis.call('del', KEYS[1]) end "
                             "redis.call('hset', KEYS[1], 'depth', ARGV[2]) return 1"};

constexpr Script kExtendIfOwner{
    "counts_extend_if_owner",
    "if redis.call('hget', KEYS[1], 'owner') ~= ARGV[1] then return 0 end "
    "return redis.call('pexpire', KEYS[1], ARGV[2])"};

// Idea: the server counts: a hash of holder and depth, up by HINCRBY 1, down by HINCRBY -1.
// Mistake: A's inner way out is sent again: 2, 1, 0, key deleted, B in while A's outer job runs.
class CountsOnTheServer final : public Lock {
public:
    CountsOnTheServer(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        if (depth_ == 0) token_ = client_.fresh_token();
        const Reply count = co_await client_.eval(kCountIn, key_, token_, milliseconds());
        if (count.is_unknown()) co_return Unknown{};
        if (count.as_integer() < 1) co_return Refused{};
        if (++depth_ == 1) watchdog_ = client_.spawn(renew());
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        if (--depth_ == 0) client_.cancel(watchdog_);
        const Reply count = co_await client_.eval(kCountOut, key_, token_);
        if (count.is_unknown()) co_return Release::unknown;
        co_return count.is_integer() && count.as_integer() >= 0 ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(renewal_);
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown()) {
                renewed = co_await client_.eval(kExtendIfCounted, key_, token_, milliseconds());
            }
            if (!renewed.is_integer(1)) {
                client_.lost();
                co_return;
            }
        }
    }
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    const Duration renewal_;
    int depth_ = 0;
    Token token_;
    Background watchdog_;
};

// Idea: the client counts; only the outermost way in and way out send a command.
// Mistake: A's DEL runs, its reply is lost, depth stays 1, B in, A re-enters without a key.
class DepthStays final : public Lock {
public:
    DepthStays(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        if (depth_ > 0) {
            ++depth_;
            co_return Grant{token_, ttl_};
        }
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        token_ = token;
        depth_ = 1;
        watchdog_ = client_.spawn(renew());
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        if (depth_ > 1) {
            --depth_;
            co_return Release::yes;
        }
        client_.cancel(watchdog_);
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        depth_ = 0;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(renewal_);
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown()) {
                renewed = co_await client_.eval(kExtendIfMine, key_, token_, milliseconds());
            }
            if (!renewed.is_integer(1)) {
                client_.lost();
                co_return;
            }
        }
    }
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    const Duration renewal_;
    int depth_ = 0;
    Token token_;
    Background watchdog_;
};

// Idea: INCR takes a number; up to 1 is in (late DECRs may have left it low), 2 counts back.
// Mistake: release is DEL, not DECR: B counts 2, A's DEL, B back to -1, C counts 0, B counts 1: in.
class CountsBackTooFar final : public Lock {
public:
    CountsBackTooFar(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        const Reply count = co_await client_.command("INCR", key_);
        if (count.is_unknown()) co_return Unknown{};
        if (count.as_integer() > 1) {
            co_await client_.command("DECR", key_);
            co_return Refused{};
        }
        co_await client_.command("PEXPIRE", key_, milliseconds());
        const Token token{"counted"};
        co_return Grant{token, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
};

// Idea: the server keeps the depth, but the client sends which depth it is to be, not +1 and -1.
// Mistake: none: a command that runs twice sets the same depth.
class SendsItsDepth final : public Lock {
public:
    SendsItsDepth(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        if (depth_ == 0) token_ = client_.fresh_token();
        const Reply set =
            co_await client_.eval(kSetDepth, key_, token_, depth_ + 1, milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_integer(1)) co_return Refused{};
        if (++depth_ == 1) watchdog_ = client_.spawn(renew());
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        if (--depth_ == 0) client_.cancel(watchdog_);
        const Reply lowered = co_await client_.eval(kLowerDepth, key_, token_, depth_);
        if (lowered.is_unknown()) co_return Release::unknown;
        co_return lowered.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(renewal_);
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown()) {
                renewed = co_await client_.eval(kExtendIfOwner, key_, token_, milliseconds());
            }
            if (!renewed.is_integer(1)) {
                client_.lost();
                co_return;
            }
        }
    }
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    const Duration renewal_;
    int depth_ = 0;
    Token token_;
    Background watchdog_;
};

}  // namespace

void add_stranger_counts(std::vector<Entry>& entries) {
    entries.push_back(reentrant_broken("counts_on_the_server", "sends_its_depth", {Hazard::retry},
                                       Cause::no_key,
                                       "An inner release sent again counts down to nought and "
                                       "deletes the key under the outer job.",
                                       kRenewed, make<CountsOnTheServer>));
    entries.push_back(reentrant_broken("depth_stays", "reentrant_watchdog", {Hazard::lose_reply},
                                       Cause::no_key,
                                       "After a release without an answer the client still counts "
                                       "1 and enters again without a command.",
                                       kRenewed, make<DepthStays>));
    entries.push_back(broken("counts_back_too_far", "set_nx_del", {Hazard::contention},
                             Cause::overwritten,
                             "The refused client's DECR comes after the holder's DEL, so two of "
                             "the next INCRs are at most 1.",
                             kLease, make<CountsBackTooFar>));
    entries.push_back(reentrant_correct(
        "sends_its_depth", "reentrant_watchdog",
        {Hazard::contention, Hazard::crash, Hazard::lose_request, Hazard::lose_reply,
         Hazard::clock_offset, Hazard::clock_jump, Hazard::retry, Hazard::slow_job},
        "The depth is kept on the server, and each command says "
        "which depth it is to be.",
        kRenewed, make<SendsItsDepth>));
}

}  // namespace locklab::corpus
