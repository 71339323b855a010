// Locks by a stranger: how the lock is given back.
#include <string>

#include "tests/corpus/corpus.h"

namespace locklab::corpus {

namespace {

constexpr LockOptions kLease{.ttl = std::chrono::seconds(10),
                             .retry = std::chrono::milliseconds(100)};

constexpr Script kDeleteIfMine{
    "releases_delete_if_mine",
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"};

constexpr Script kExpireNowIfMine{"releases_expire_now_if_mine",
                                  "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                                  "return redis.call('pexpire', KEYS[1], 0)"};

// Idea: a SET without an answer may have run, so its key is deleted rather than left to its TTL.
// Mistake: by DEL: B holds, A's SET is lost, A's DEL takes B's key away, C in.
class TakesBackByDel final : public Lock {
public:
    TakesBackByDel(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", milliseconds());
        if (set.is_unknown()) {
            co_await client_.command("DEL", key_);
            co_return Unknown{};
        }
        if (!set.is_ok()) co_return Refused{};
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    Token token_;
};

// Idea: no script: GETDEL tells whose key it was, and another's is put back at once.
// Mistake: A's GETDEL is sent again and removes B's key; before A has put it back, C is in.
class GetdelAndPutBack final : public Lock {
public:
    GetdelAndPutBack(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        const Reply held = co_await client_.command("GETDEL", key_);
        if (held.is_unknown()) co_return Release::unknown;
        if (held.is_bulk() && held.text() == token_.text) co_return Release::yes;
        if (held.is_bulk()) {
            co_await client_.command("SET", key_, held.text(), "NX", "PX", milliseconds());
        }
        co_return Release::not_ours;
    }

private:
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    Token token_;
};

// Idea: the script deletes what is ours; what it leaves behind is stale and is unlinked by force.
// Mistake: A's script is sent again while B holds and answers 0; A unlinks B's key, C in.
class UnlinkByForce final : public Lock {
public:
    UnlinkByForce(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        if (deleted.is_integer(1)) co_return Release::yes;
        const Reply unlinked = co_await client_.command("UNLINK", key_);
        co_return unlinked.is_unknown() ? Release::unknown : Release::not_ours;
    }

private:
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    Token token_;
};

// Idea: the release lets the key expire at once, by PEXPIRE 0, where it is still ours.
// Mistake: none: PEXPIRE with 0 deletes the key, and the script asks for the token.
class ExpiresItself final : public Lock {
public:
    ExpiresItself(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", milliseconds());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        const Reply expired = co_await client_.eval(kExpireNowIfMine, key_, token_);
        if (expired.is_unknown()) co_return Release::unknown;
        co_return expired.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    Token token_;
};

}  // namespace

void add_stranger_releases(std::vector<Entry>& entries) {
    entries.push_back(broken("takes_back_by_del", "set_nx_lua", {Hazard::lose_request},
                             Cause::foreign_delete,
                             "After a SET without an answer it deletes the key, whoever holds it.",
                             kLease, make<TakesBackByDel>));
    entries.push_back(broken("getdel_and_put_back", "set_nx_lua", {Hazard::retry},
                             Cause::foreign_delete,
                             "GETDEL sent again removes the successor's key, and putting it back "
                             "comes too late.",
                             kLease, make<GetdelAndPutBack>));
    entries.push_back(broken("unlink_by_force", "set_nx_lua", {Hazard::retry},
                             Cause::foreign_delete,
                             "A release that is answered \"not yours\" unlinks the key all the "
                             "same.",
                             kLease, make<UnlinkByForce>));
    entries.push_back(
        correct("expires_itself", "set_nx_lua",
                {Hazard::contention, Hazard::crash, Hazard::lose_request, Hazard::lose_reply,
                 Hazard::clock_offset, Hazard::clock_jump, Hazard::delay_request, Hazard::retry},
                "The release is a script that sets the owner's key to expire in 0 "
                "milliseconds.",
                kLease, make<ExpiresItself>));
}

}  // namespace locklab::corpus
