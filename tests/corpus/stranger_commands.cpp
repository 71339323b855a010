// Locks by a stranger: which commands, in which order, spelt how.
#include "tests/corpus/corpus.h"

namespace locklab::corpus {

namespace {

constexpr LockOptions kLease{.ttl = std::chrono::seconds(10),
                             .retry = std::chrono::milliseconds(100)};

constexpr Script kDeleteIfMine{
    "commands_delete_if_mine",
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"};

constexpr Script kShoutedDelete{
    "commands_shouted_delete",
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"};

// Idea: SETNX, then SETEX for the TTL; whoever meets a key without a TTL repairs it by SETEX.
// Mistake: A's SETNX wins, B's TTL says -1 before A's SETEX, B writes itself in; A and B in.
class RepairsMissingTtl final : public Lock {
public:
    RepairsMissingTtl(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply set = co_await client_.command("SETNX", key_, token_);
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_integer(1)) {
            const Reply left = co_await client_.command("TTL", key_);
            if (left.is_unknown()) co_return Unknown{};
            if (!left.is_integer(-1)) co_return Refused{};
        }
        const std::int64_t seconds = ttl_ / std::chrono::seconds(1);
        const Reply written = co_await client_.command("SETEX", key_, seconds, token_);
        if (written.is_unknown()) co_return Unknown{};
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Duration ttl_;
    Token token_;
};

// Idea: in the middle of a roll-out: client 1 still runs the version before SET had NX and EX.
// Mistake: client 1 asks EXISTS, 0 answers; client 0's SET NX wins; client 1's SETEX is in, too.
class OldVersionOnClientOne final : public Lock {
public:
    OldVersionOnClientOne(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const std::int64_t seconds = ttl_ / std::chrono::seconds(1);
        if (client_.id().value == 1) {
            const Reply exists = co_await client_.command("EXISTS", key_);
            if (exists.is_unknown()) co_return Unknown{};
            if (!exists.is_integer(0)) co_return Refused{};
            const Reply written = co_await client_.command("SETEX", key_, seconds, token_);
            if (written.is_unknown()) co_return Unknown{};
            co_return Grant{token_, ttl_};
        }
        const Reply set = co_await client_.command("SET", key_, token_, "EX", seconds, "NX");
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Duration ttl_;
    Token token_;
};

// Idea: a lock without a TTL, which the SET has only until PERSIST confirms that the client lives.
// Mistake: confirmed once, not for each key: A's second key keeps its TTL, expires at work, B in.
class PersistsOnce final : public Lock {
public:
    PersistsOnce(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const std::int64_t milliseconds = ttl_ / std::chrono::milliseconds(1);
        const Reply set = co_await client_.command("SET", key_, token_, "PX", milliseconds, "NX");
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        if (!persisted_) {
            const Reply persisted = co_await client_.command("PERSIST", key_);
            if (!persisted.is_integer(1)) co_return Unknown{};
            persisted_ = true;
        }
        const Duration for_ever{0};
        co_return Grant{token_, for_ever};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kDeleteIfMine, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Duration ttl_;
    bool persisted_ = false;
    Token token_;
};

// Idea: commands in lower case and mixed case, options in an odd order, the script's in capitals.
// Mistake: none: Redis asks for neither case nor order.
class OddlySpelt final : public Lock {
public:
    OddlySpelt(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const std::int64_t milliseconds = ttl_ / std::chrono::milliseconds(1);
        const Reply set = co_await client_.command("set", key_, token_, "px", milliseconds, "Nx");
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kShoutedDelete, key_, token_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Duration ttl_;
    Token token_;
};

// Idea: HINCRBY counts all tries in a field; whoever reads 1 was first, and nobody counts back.
// Mistake: none: HINCRBY is atomic, and only the holder deletes the hash.
class FirstOfTheTries final : public Lock {
public:
    FirstOfTheTries(Client& client, Key key, const LockOptions&)
        : client_(client), key_(std::move(key)) {}

    Task<Acquired> try_acquire() override {
        const Reply tries = co_await client_.command("HINCRBY", key_, "tries", 1);
        if (tries.is_unknown()) co_return Unknown{};
        if (!tries.is_integer(1)) co_return Refused{};
        const Token token{"1"};
        const Duration for_ever{0};
        co_return Grant{token, for_ever};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.is_unknown()) co_return Release::unknown;
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
};

}  // namespace

void add_stranger_commands(std::vector<Entry>& entries) {
    entries.push_back(broken("repairs_missing_ttl", "set_nx_lua", {Hazard::contention},
                             Cause::overwritten,
                             "A key between its owner's SETNX and SETEX looks abandoned, and "
                             "another client takes it over.",
                             kLease, make<RepairsMissingTtl>));
    entries.push_back(broken("old_version_on_client_one", "set_nx_lua", {Hazard::contention},
                             Cause::overwritten,
                             "Client 1, and only it, asks EXISTS and then writes without NX.",
                             kLease, make<OldVersionOnClientOne>));
    entries.push_back(broken("persists_once", "setnx_del", {Hazard::slow_job},
                             Cause::expired_while_held,
                             "Only the first acquisition takes the TTL off the key; the second "
                             "one's key expires.",
                             kLease, make<PersistsOnce>));
    entries.push_back(
        correct("oddly_spelt", "set_nx_lua",
                {Hazard::contention, Hazard::crash, Hazard::lose_request, Hazard::lose_reply,
                 Hazard::clock_offset, Hazard::clock_jump, Hazard::delay_request, Hazard::retry},
                "Lower and mixed case, and NX after PX.", kLease, make<OddlySpelt>));
    entries.push_back(correct("first_of_the_tries", "setnx_del",
                              {Hazard::contention, Hazard::slow_job, Hazard::pause,
                               Hazard::clock_offset, Hazard::clock_jump, Hazard::server_clock_jump},
                              "Whoever's HINCRBY answers 1 holds the lock until it deletes the "
                              "hash.",
                              kLease, make<FirstOfTheTries>));
}

}  // namespace locklab::corpus
