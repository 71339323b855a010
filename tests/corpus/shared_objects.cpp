// Locks of which one object is used by several tasks of a client. With one task to an object each
// of them holds.
#include <map>

#include "tests/corpus/corpus.h"
#include "tests/corpus/lock_parts.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

struct TokenOfEachTask final : TokenLock {
    using TokenLock::TokenLock;
    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        tokens_[client_.id()] = token;
        const Reply reply = co_await client_.command("SET", key_, token, "NX", "PX", ttl_ms());
        if (reply.failed()) co_return Failed{reply};
        if (!reply.is_ok()) co_return Refused{};
        co_return Grant{token, options_.ttl};
    }
    Task<Release> release() override {
        const Token token = tokens_[client_.id()];
        const Reply reply = co_await client_.eval(kCompareAndDelete, key_, token);
        if (reply.failed()) co_return Failed{reply};
        co_return reply.is_integer(1) ? Release::yes : Release::not_ours;
    }
    std::map<ClientId, Token> tokens_;
};

struct LocalMutex final : WatchedLock {
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
    bool is_taken_ = false;
};

/// Re-entrant: the key has the holder, and how many times.
using HolderIsTheObject = CountLock<>;

struct HolderIsTheTask final : CountLock<> {
    using CountLock::CountLock;
    Token new_token() override { return Token{mine_.text + ":" + number()}; }
    Task<Reply> give_back() override { return run(kReentrantUnlock, key_, ttl_ms(), new_token()); }
};

struct CountsInTheObject final : TokenLock {
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
    Token new_token() override { return holds_ > 0 ? token_ : client_.fresh_token(); }
    int holds_ = 0;
};

/// One token for the object's life.
struct LooksWhetherItHasIt : OneToken<> {
    using OneToken::OneToken;
    Task<Reply> take() override {
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        if (!set.is_nil()) co_return set;
        const Reply value = co_await client_.command("GET", key_);
        co_return value;
    }
    bool took(const Reply& reply) override { return reply.is_ok() || reply.text() == token_.text; }
};

struct CleansUpWhenRefused final : OneToken<> {
    using OneToken::OneToken;
    Task<Reply> take() override {
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        if (set.is_nil()) co_await client_.eval(kCompareAndDelete, key_, token_);
        co_return set;
    }
};

/// SET key token NX, and nothing that ends it but its release.
struct NeverExpires final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override { return ask("SET", key_, token_, "NX"); }
};

std::vector<Entry> all_entries() {
    std::vector<Entry> all;
    const Theme add(all, kLease);
    const Theme counted(all, kLease, reentrant);
    add.correct<TokenOfEachTask>("token_of_each_task", "set_nx_lua", {crash, lose_reply},
                                 "It keeps a token for each task.");
    Theme(all, kWatched)
        .correct<LocalMutex>("local_mutex", "watchdog_owned", {crash, lose_reply},
                             "One task at a time asks for the lock.");
    counted.correct<HolderIsTheTask>("holder_is_the_task", "reentrant_watchdog", {crash},
                                     "The holder in the key is the object and its task.");
    counted.broken<HolderIsTheObject>("holder_is_the_object", "reentrant_watchdog", {},
                                      Cause::shared_object,
                                      "The key knows the object, and lets in each of its tasks.");
    counted.broken<CountsInTheObject>("counts_in_the_object", "set_nx_lua", {},
                                      Cause::shared_object,
                                      "An object that has the lock lets in whoever asks.");
    add.broken<LooksWhetherItHasIt>(
        "looks_whether_it_has_it", "set_nx_lua", {}, Cause::shared_object,
        "Another task's key is taken for that of a try whose answer was lost.");
    add.broken<CleansUpWhenRefused>("cleans_up_when_refused", "set_nx_lua", {},
                                    Cause::shared_object,
                                    "A task that is refused deletes the key of the other.");
    Theme(all, kNoExpiry)
        .stuck<NeverExpires>("never_expires", "set_nx_lua", {},
                             "A refused try writes its token over the holder's, whose release then "
                             "finds a stranger's key.");
    return all;
}

}  // namespace

const std::vector<Entry>& shared_object_entries() {
    static const std::vector<Entry> all = all_entries();
    return all;
}

}  // namespace locklab::corpus
