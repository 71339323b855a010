// Locks by a stranger: how the watchdog keeps the lock.
#include <string>

#include "tests/corpus/corpus.h"

namespace locklab::corpus {

namespace {

constexpr LockOptions kRenewed{.ttl = std::chrono::seconds(10),
                               .retry = std::chrono::milliseconds(100),
                               .renewal = std::chrono::seconds(3)};

constexpr Script kDeleteIfMine{
    "renewals_delete_if_mine",
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"};

constexpr Script kExtendIfMine{"renewals_extend_if_mine",
                               "if redis.call('get', KEYS[1]) == ARGV[1] "
                               "then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"};

constexpr Script kTakeOverFromName{
    "renewals_take_over_from_name",
    "local held = redis.call('get', KEYS[1]) "
    "if not held or string.sub(held, 1, string.len(ARGV[1])) ~= ARGV[1] then return 0 end "
    "redis.call('psetex', KEYS[1], ARGV[3], ARGV[2]) return 1"};

constexpr Script kWriteAgainIfMine{"renewals_write_again_if_mine",
                                   "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                                   "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) return 1"};

// Idea: a renewal without an answer is the end: the job may go on for one lease, then is told.
// Mistake: the lease runs from the last renewal: A's is lost at 3 s, B in at 10 s, A told at 13 s.
class LeaseFromTheFailure final : public Lock {
public:
    LeaseFromTheFailure(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        token_ = token;
        watchdog_ = client_.spawn(renew());
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        client_.cancel(watchdog_);
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(renewal_);
            const Reply renewed =
                co_await client_.eval(kExtendIfMine, key_, token_, milliseconds());
            if (renewed.is_integer(1)) continue;
            if (renewed.is_unknown()) co_await client_.sleep(ttl_);
            client_.lost();
            co_return;
        }
    }
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    const Duration renewal_;
    Token token_;
    Background watchdog_;
};

// Idea: ask how long the key has left, and renew only when less than one interval remains.
// Mistake: PTTL's milliseconds against seconds: A's last look finds 1000 > 3, A expires, B in.
class LooksBeforeItRenews final : public Lock {
public:
    LooksBeforeItRenews(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        token_ = token;
        watchdog_ = client_.spawn(renew());
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        client_.cancel(watchdog_);
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(renewal_);
            const Reply left = co_await client_.command("PTTL", key_);
            if (left.is_integer() && left.as_integer() > renewal_ / std::chrono::seconds(1)) {
                continue;
            }
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
    Token token_;
    Background watchdog_;
};

// Idea: the release raises a flag besides cancelling, lest a renewal in flight start another.
// Mistake: nobody lowers it: A's second watchdog ends at once, A's key expires at work, B in.
class FlagStaysUp final : public Lock {
public:
    FlagStaysUp(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        token_ = token;
        watchdog_ = client_.spawn(renew());
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        released_ = true;
        client_.cancel(watchdog_);
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        while (!released_) {
            co_await client_.sleep(renewal_);
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown() && !released_) {
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
    bool released_ = false;
    Token token_;
    Background watchdog_;
};

// Idea: the token is client:try; renewing is SET again; a key of our client is from a lost try.
// Mistake: A's renewal is late, A releases, B in, the SET writes A over B, A's next try is in.
class WritesItsNameAgain final : public Lock {
public:
    WritesItsNameAgain(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        const std::string name = std::to_string(client_.id().value) + ":";
        const Token token{name + std::to_string(++tries_)};
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) {
            const Reply ours =
                co_await client_.eval(kTakeOverFromName, key_, name, token, milliseconds());
            if (ours.is_unknown()) co_return Unknown{};
            if (!ours.is_integer(1)) co_return Refused{};
        }
        token_ = token;
        watchdog_ = client_.spawn(renew());
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        client_.cancel(watchdog_);
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(renewal_);
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown()) {
                renewed = co_await client_.command("SET", key_, token_, "PX", milliseconds());
            }
            if (!renewed.is_ok()) {
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
    std::uint64_t tries_ = 0;
    Token token_;
    Background watchdog_;
};

// Idea: the watchdog writes its token anew, with a new TTL, where the old value is its token.
// Mistake: none: comparing and writing are one script.
class WritesItsTokenAgain final : public Lock {
public:
    WritesItsTokenAgain(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        token_ = token;
        watchdog_ = client_.spawn(renew());
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        client_.cancel(watchdog_);
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(renewal_);
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown()) {
                renewed = co_await client_.eval(kWriteAgainIfMine, key_, token_, milliseconds());
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
    Token token_;
    Background watchdog_;
};

}  // namespace

void add_stranger_renewals(std::vector<Entry>& entries) {
    entries.push_back(broken("lease_from_the_failure", "watchdog_owned",
                             {Hazard::slow_job, Hazard::lose_request}, Cause::expired_while_held,
                             "After a renewal without an answer it tells the holder one TTL after "
                             "the failure, not after the last renewal.",
                             kRenewed, make<LeaseFromTheFailure>));
    entries.push_back(broken("looks_before_it_renews", "watchdog_owned", {Hazard::slow_job},
                             Cause::expired_while_held,
                             "PTTL's milliseconds are compared with seconds, so it sees no need to "
                             "renew.",
                             kRenewed, make<LooksBeforeItRenews>));
    entries.push_back(broken("flag_stays_up", "watchdog_owned", {Hazard::slow_job},
                             Cause::expired_while_held,
                             "The first release's flag stops the watchdog of the second "
                             "acquisition.",
                             kRenewed, make<FlagStaysUp>));
    entries.push_back(broken("writes_its_name_again", "watchdog_owned",
                             {Hazard::slow_job, Hazard::delay_request}, Cause::revived_key,
                             "A late renewal writes the client's token over its successor's lock, "
                             "and the client's next try takes that for its own.",
                             kRenewed, make<WritesItsNameAgain>));
    entries.push_back(correct("writes_its_token_again", "watchdog_owned",
                              {Hazard::contention, Hazard::crash, Hazard::lose_request,
                               Hazard::lose_reply, Hazard::clock_offset, Hazard::clock_jump,
                               Hazard::delay_request, Hazard::retry, Hazard::slow_job},
                              "The renewal is a script that writes the owner's token again by "
                              "PSETEX.",
                              kRenewed, make<WritesItsTokenAgain>));
}

}  // namespace locklab::corpus
