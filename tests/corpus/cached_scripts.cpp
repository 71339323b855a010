// Locks whose scripts are sent as EVALSHA: what the server's script cache decides.
#include <string>

#include "harness/core/sha1.h"
#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

constexpr const char* kTake = "return redis.call('setnx', KEYS[1], ARGV[1])";
constexpr const char* kTakeFor = "return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])";
constexpr const char* kDelete = "return redis.call('del', KEYS[1])";

std::string digest_of(std::string_view lua) { return to_hex(sha1(lua)); }

bool is_no_script(const Reply& reply) {
    return reply.is_error() && reply.text().starts_with("NOSCRIPT");
}

/// Loads its script once, before its first try.
class LoadedLock : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    /// Then `sha_` is its name, or the answer is why not.
    Task<Reply> load(std::string_view lua) {
        if (!sha_.empty()) co_return Reply::ok();
        Reply loaded = co_await client_.command("SCRIPT", "LOAD", lua);
        if (!loaded.failed()) sha_ = loaded.text();
        co_return loaded;
    }

    std::string sha_;
};

// Idea: the release's script is loaded once, and sent whole only where the server forgot it.
// Mistake: none.
class LoadsOnce final : public LoadedLock {
public:
    using LoadedLock::LoadedLock;

protected:
    Task<Reply> take() override {
        const Reply loaded = co_await load(kCompareAndDelete.lua);
        if (loaded.failed()) co_return loaded;
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        co_return set;
    }
    Task<Reply> give_back() override {
        const Reply deleted = co_await client_.command("EVALSHA", sha_, 1, key_, token_);
        if (!is_no_script(deleted)) co_return deleted;
        const Reply again = co_await client_.eval(kCompareAndDelete, key_, token_);
        co_return again;
    }
};

// Idea: a refused client clears away, by a cached script, what a crashed one left.
// Mistake: it deletes the key of a holder that is well.
class RefusedDeletes final : public LoadedLock {
public:
    using LoadedLock::LoadedLock;

protected:
    Task<Reply> take() override {
        const Reply loaded = co_await load(kDelete);
        if (loaded.failed()) co_return loaded;
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        if (set.is_nil()) co_await client_.command("EVALSHA", sha_, 1, key_);
        co_return set;
    }
};

// Idea: the key is deleted by a script that the server has cached.
// Mistake: as with a plain DEL, a release that is sent again deletes another's key.
class DeletesBySha final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override {
        const Reply loaded = co_await client_.command("SCRIPT", "LOAD", kDelete);
        if (loaded.failed()) co_return loaded;
        sha_ = loaded.text();
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        co_return set;
    }
    Task<Reply> give_back() override { return ask("EVALSHA", sha_, 1, key_); }

private:
    std::string sha_;
};

// Idea: who finds the script missing at a release loads it, for the next time.
// Mistake: this time it does not release: the key has no expiry, and stays.
class LoadsForNextTime final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override { return ask("SET", key_, token_, "NX"); }
    Task<Reply> give_back() override {
        const Reply deleted =
            co_await client_.command("EVALSHA", digest_of(kCompareAndDelete.lua), 1, key_, token_);
        if (is_no_script(deleted)) {
            co_await client_.command("SCRIPT", "LOAD", kCompareAndDelete.lua);
        }
        co_return deleted;
    }
};

// Idea: each client loads its scripts as it begins, and empties the cache as it leaves.
// Mistake: another's release then finds no script, and its key, which never expires, stays.
class FlushesScripts final : public LoadedLock {
public:
    using LoadedLock::LoadedLock;

protected:
    Task<Reply> take() override {
        const Reply loaded = co_await load(kCompareAndDelete.lua);
        if (loaded.failed()) co_return loaded;
        const Reply set = co_await client_.command("SET", key_, token_, "NX");
        co_return set;
    }
    Task<Reply> give_back() override {
        const Reply deleted = co_await client_.command("EVALSHA", sha_, 1, key_, token_);
        co_await client_.command("SCRIPT", "FLUSH");
        sha_.clear();
        co_return deleted;
    }
};

// Idea: the lock has no time to live; a cached script takes it, and is sent whole if need be.
// Mistake: none without faults.
class TakesBySha final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override {
        const Reply took = co_await client_.command("EVALSHA", digest_of(kTake), 1, key_, token_);
        if (!is_no_script(took)) co_return took;
        const Reply again = co_await client_.command("EVAL", kTake, 1, key_, token_);
        co_return again;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
};

// Idea: NOSCRIPT says that the server has begun anew and lost its keys; then a client waits for
// as long as any holder may still be inside, and loads the script that takes the lock.
// Mistake: two that wait load it twice, and the later one does so after another restart.
class WaitsAfterRestart final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override {
        const Reply took =
            co_await client_.command("EVALSHA", digest_of(kTakeFor), 1, key_, token_, ttl_ms());
        if (is_no_script(took)) {
            co_await client_.sleep(options_.ttl);
            co_await client_.command("SCRIPT", "LOAD", kTakeFor);
        }
        co_return took;
    }
};

// From here on by somebody who has read the code.

// Idea: each script goes out by a digest that its client knows, and whole after NOSCRIPT.
// Mistake: none: what was answered NOSCRIPT did nothing.
class ByKnownDigest final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override {
        const Reply took =
            co_await client_.command("EVALSHA", digest_of(kTakeFor), 1, key_, token_, ttl_ms());
        if (!is_no_script(took)) co_return took;
        const Reply again = co_await client_.command("EVAL", kTakeFor, 1, key_, token_, ttl_ms());
        co_return again;
    }
    Task<Reply> give_back() override {
        const Reply gone =
            co_await client_.command("EVALSHA", digest_of(kCompareAndDelete.lua), 1, key_, token_);
        if (!is_no_script(gone)) co_return gone;
        const Reply again = co_await client_.eval(kCompareAndDelete, key_, token_);
        co_return again;
    }
};

// Idea: the first release that finds its script unknown uses DEL, and loads it for those after.
// Mistake: that DEL, sent again, deletes another's key.
class DeletesUntilLoaded final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> give_back() override {
        const std::string digest = digest_of(kCompareAndDelete.lua);
        const Reply known = co_await client_.command("SCRIPT", "EXISTS", digest);
        if (known.failed()) co_return known;
        if (known.elements()[0].is_integer(1)) {
            const Reply gone = co_await client_.command("EVALSHA", digest, 1, key_, token_);
            co_return gone;
        }
        const Reply gone = co_await client_.command("DEL", key_);
        co_await client_.command("SCRIPT", "LOAD", kCompareAndDelete.lua);
        co_return gone;
    }
};

// Idea: who finds the script that takes the lock unknown loads it, and takes it in its next try.
// Mistake: none: who has loaded it has not got the lock.
class LoadsAndTriesAgain final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override {
        const Reply took =
            co_await client_.command("EVALSHA", digest_of(kTakeFor), 1, key_, token_, ttl_ms());
        if (is_no_script(took)) co_await client_.command("SCRIPT", "LOAD", kTakeFor);
        co_return took;
    }
};

// Idea: NOSCRIPT, as a release is answered, can only mean that the server has forgotten all.
// Mistake: nobody has loaded the script yet, and the key, which never expires, stays.
class TakesNoScriptForGone final : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override { return ask("SET", key_, token_, "NX"); }
    Task<Reply> give_back() override {
        return ask("EVALSHA", digest_of(kCompareAndDelete.lua), 1, key_, token_);
    }
};

}  // namespace

void add_cached_scripts(std::vector<Entry>& entries) {
    const std::vector<Hazard> all = contended(calm());
    entries.push_back(correct("loads_once", "set_nx_lua", all,
                              "Its release is EVALSHA, and the whole script where the server does "
                              "not know it.",
                              kLease, make<LoadsOnce>));
    entries.push_back(broken("refused_deletes_by_digest", "set_nx_lua", {}, Cause::foreign_delete,
                             "A refused client runs a cached script that deletes the key.", kLease,
                             make<RefusedDeletes>));
    entries.push_back(broken("deletes_by_digest", "set_nx_lua", {Hazard::retry},
                             Cause::foreign_delete,
                             "A cached script that deletes the key is sent again, and meets "
                             "another's.",
                             kLease, make<DeletesBySha>));
    entries.push_back(stuck("loads_for_next_time", "set_nx_lua", {},
                            "A release that finds no script loads it, and leaves the key for ever.",
                            kNoExpiry, make<LoadsForNextTime>));
    entries.push_back(stuck("flushes_scripts", "set_nx_lua", {},
                            "Who leaves empties the cache; the next release finds no script, and "
                            "its key stays.",
                            kNoExpiry, make<FlushesScripts>));
    entries.push_back(correct("takes_by_digest", "setnx_del", {Hazard::contention},
                              "The script that takes the lock goes out whole after NOSCRIPT.",
                              kNoExpiry, make<TakesBySha>));
    entries.push_back(broken("waits_after_restart", "perfect_lock", {Hazard::restart},
                             Cause::lost_data,
                             "Of two that wait after NOSCRIPT one loads the script after another "
                             "restart.",
                             kLease, make<WaitsAfterRestart>));
    entries.push_back(correct("by_known_digest", "set_nx_lua", all,
                              "Each script goes out by its digest, and whole after NOSCRIPT.",
                              kLease, make<ByKnownDigest>));
    entries.push_back(broken("deletes_until_loaded", "by_known_digest", {Hazard::retry},
                             Cause::foreign_delete,
                             "Before its script is loaded the release is a DEL, which is sent "
                             "again.",
                             kLease, make<DeletesUntilLoaded>));
    entries.push_back(correct("loads_and_tries_again", "set_nx_lua", all,
                              "Who finds no script loads it, and was refused.", kLease,
                              make<LoadsAndTriesAgain>));
    entries.push_back(stuck("takes_no_script_for_gone", "takes_by_digest", {},
                            "Nobody ever loads the script of the release, and its key stays.",
                            kNoExpiry, make<TakesNoScriptForGone>));
}

}  // namespace locklab::corpus
