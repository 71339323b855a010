// Article: Josiah Carlson, "Redis in Action", 6.2.3, its release_lock().
// Idea:    one atomic SET key token NX EX takes the lock. To release, the holder watches the key
// and
//          reads it; where its token is there, it deletes the key in a transaction, which Redis
//          drops if the key has changed or expired since.
// Claims:  a crash frees the lock after its TTL; only the holder can release it.
// Breaks:  what breaks set_nx_lua. What is watched belongs to a connection: where a client library
//          connects anew and sends a command again by itself, the rest of the release runs
//          unwatched. That frees another's lock if the time-out leads beyond the TTL.

#include "algorithms/algorithms.h"
#include "algorithms/ttl.h"

namespace locklab {

namespace {

class WatchMultiDel final : public Lock {
public:
    WatchMultiDel(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply reply = co_await client_.command("SET", key_, token_, "NX", ttl_);
        if (reply.failed()) co_return Failed{reply};
        if (!reply.is_ok()) co_return Refused{};
        co_return Grant{token_, ttl_.duration()};
    }

    Task<Release> release() override {
        const Reply watched = co_await client_.command("WATCH", key_);
        if (watched.failed()) co_return Failed{watched};
        const Reply held = co_await client_.command("GET", key_);
        if (held.is_unknown()) co_return Failed{held};
        if (held.text() != token_.text) {
            co_await client_.command("UNWATCH");
            if (held.is_error()) co_return Failed{held};
            co_return Release::not_ours;
        }
        Reply step = co_await client_.command("MULTI");
        if (!step.failed()) step = co_await client_.command("DEL", key_);
        if (!step.failed()) step = co_await client_.command("EXEC");
        if (step.is_error()) {
            // Else what this connection sends next would wait for an EXEC.
            co_await client_.command("DISCARD");
            co_await client_.command("UNWATCH");
        }
        if (step.failed()) co_return Failed{step};
        co_return step.is_nil() ? Release::not_ours : Release::yes;
    }

private:
    Client& client_;
    const Key key_;
    const Ttl ttl_;
    Token token_;
};

}  // namespace

std::unique_ptr<Lock> make_watch_multi_del(Client& client, const Key& key,
                                           const LockOptions& options) {
    return std::make_unique<WatchMultiDel>(client, key, options);
}

}  // namespace locklab
