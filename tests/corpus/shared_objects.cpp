// Locks of which one object is used by several tasks of a client. With one task to an object each
// of them holds.
#include <map>

#include "algorithms/reentrant_scripts.h"
#include "tests/corpus/corpus.h"
#include "tests/corpus/lock_parts.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

class TokenOfEachTask final : public Lock {
public:
    TokenOfEachTask(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        tokens_[client_.id()] = token;
        const std::int64_t ms = ttl_ / std::chrono::milliseconds(1);
        const Reply reply = co_await client_.command("SET", key_, token, "NX", "PX", ms);
        if (reply.failed()) co_return Failed{reply};
        if (!reply.is_ok()) co_return Refused{};
        co_return Grant{token, ttl_};
    }
    Task<Release> release() override {
        const Token token = tokens_[client_.id()];
        const Reply reply = co_await client_.eval(kCompareAndDelete, key_, token);
        if (reply.failed()) co_return Failed{reply};
        co_return reply.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Duration ttl_;
    std::map<ClientId, Token> tokens_;
};

class LocalMutex final : public WatchedLock {
public:
    using WatchedLock::WatchedLock;

    Task<Acquired> try_acquire() override {
        if (std::exchange(is_taken_, true)) co_return Refused{};
        Acquired acquired = co_await WatchedLock::try_acquire();
        is_taken_ = acquired.grant() != nullptr;
        co_return acquired;
    }
    Task<Release> release() override {
        const Release outcome = co_await WatchedLock::release();
        is_taken_ = false;
        co_return outcome;
    }

private:
    bool is_taken_ = false;
};

/// Re-entrant: the key has the holder, and how many times.
class HolderIsTheObject : public TokenLock {
public:
    HolderIsTheObject(Client& client, Key key, const LockOptions& options)
        : TokenLock(client, std::move(key), options), object_(client.fresh_token()) {}

protected:
    virtual std::string holder() { return object_.text; }
    Task<Reply> take() override {
        const std::string by = holder();
        const Reply reply = co_await client_.eval(kReentrantLock, key_, ttl_ms(), by);
        co_return reply;
    }
    bool took(const Reply& reply) override { return reply.is_nil(); }
    Token new_token() override { return Token{holder()}; }
    Task<Reply> give_back() override {
        const std::string by = holder();
        const Reply reply = co_await client_.eval(kReentrantUnlock, key_, ttl_ms(), by);
        co_return reply;
    }
    bool gave_back(const Reply& reply) override { return reply.is_integer(); }

    const Token object_;
};

class HolderIsTheTask final : public HolderIsTheObject {
public:
    using HolderIsTheObject::HolderIsTheObject;

protected:
    std::string holder() override {
        return object_.text + ":" + std::to_string(client_.id().value);
    }
};

class CountsInTheObject final : public TokenLock {
public:
    using TokenLock::TokenLock;

    Task<Acquired> try_acquire() override {
        if (holds_ == 0) {
            Acquired acquired = co_await TokenLock::try_acquire();
            if (acquired.grant() != nullptr) ++holds_;
            co_return acquired;
        }
        ++holds_;
        co_return Grant{token_, options_.ttl};
    }
    Task<Release> release() override {
        if (--holds_ > 0) co_return Release::yes;
        const Release outcome = co_await TokenLock::release();
        co_return outcome;
    }

protected:
    Token new_token() override { return holds_ > 0 ? token_ : client_.fresh_token(); }

private:
    int holds_ = 0;
};

/// One token for the object's life.
class LooksWhetherItHasIt : public TokenLock {
public:
    LooksWhetherItHasIt(Client& client, Key key, const LockOptions& options)
        : TokenLock(client, std::move(key), options), object_(client.fresh_token()) {}

protected:
    Token new_token() override { return object_; }
    Task<Reply> take() override {
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        if (!set.is_nil()) co_return set;
        const Reply value = co_await client_.command("GET", key_);
        co_return value;
    }
    bool took(const Reply& reply) override { return reply.is_ok() || reply.text() == token_.text; }

    const Token object_;
};

class CleansUpWhenRefused final : public LooksWhetherItHasIt {
public:
    using LooksWhetherItHasIt::LooksWhetherItHasIt;

protected:
    Task<Reply> take() override {
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        if (set.is_nil()) co_await client_.eval(kCompareAndDelete, key_, token_);
        co_return set;
    }
    bool took(const Reply& reply) override { return reply.is_ok(); }
};

/// SET key token NX, and nothing that ends it but its release.
class NeverExpires final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override {
        const Reply reply = co_await client_.command("SET", key_, token_, "NX");
        co_return reply;
    }
};

std::vector<Entry> all_entries() {
    std::vector<Entry> all;
    const auto right = [&](std::string_view name, std::string_view parent,
                           std::string_view sentence, const LockOptions& options, MakeLock make_) {
        all.push_back(correct(name, parent, {crash, lose_reply}, sentence, options, make_));
    };
    const auto wrong = [&](std::string_view name, std::string_view sentence, MakeLock make_) {
        all.push_back(
            broken(name, "set_nx_lua", {}, Cause::shared_object, sentence, kLease, make_));
    };
    right("token_of_each_task", "set_nx_lua", "It keeps a token for each task.", kLease,
          make<TokenOfEachTask>);
    right("local_mutex", "watchdog_owned", "One task at a time asks for the lock.", kWatched,
          make<LocalMutex>);
    all.push_back(reentrant_correct("holder_is_the_task", "reentrant_watchdog", {crash},
                                    "The holder in the key is the object and its task.", kLease,
                                    make<HolderIsTheTask>));
    all.push_back(reentrant_broken("holder_is_the_object", "reentrant_watchdog", {},
                                   Cause::shared_object,
                                   "The key knows the object, and lets in each of its tasks.",
                                   kLease, make<HolderIsTheObject>));
    all.push_back(reentrant_broken("counts_in_the_object", "set_nx_lua", {}, Cause::shared_object,
                                   "An object that has the lock lets in whoever asks.", kLease,
                                   make<CountsInTheObject>));
    wrong("looks_whether_it_has_it",
          "Another task's key is taken for that of a try whose answer "
          "was lost.",
          make<LooksWhetherItHasIt>);
    wrong("cleans_up_when_refused", "A task that is refused deletes the key of the other.",
          make<CleansUpWhenRefused>);
    all.push_back(stuck("never_expires", "set_nx_lua", {},
                        "A refused try writes its token over the holder's, whose release then "
                        "finds a stranger's key.",
                        kNoExpiry, make<NeverExpires>));
    return all;
}

}  // namespace

const std::vector<Entry>& shared_object_entries() {
    static const std::vector<Entry> all = all_entries();
    return all;
}

}  // namespace locklab::corpus
