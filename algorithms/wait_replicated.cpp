// Article: the page of Redis on WAIT (https://redis.io/docs/latest/commands/wait/).
// Idea:    set_nx_lua, whose client has the lock once a replica has acknowledged its key; if none
//          does so in time, it takes the key back and goes without.
// Claims:  the replica that takes over knows the key.
// Breaks:  what breaks set_nx_lua; with two replicas, the promotion of the one that lacks the key.

#include "algorithms/algorithms.h"
#include "algorithms/compare_and_delete.h"
#include "algorithms/ttl.h"

namespace locklab {

namespace {

/// How long a client waits for the replica, in milliseconds.
constexpr int kPatience = 500;

class WaitReplicated final : public Lock {
public:
    WaitReplicated(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply reply = co_await client_.command("SET", key_, token_, "NX", ttl_);
        if (reply.failed()) co_return Failed{reply};
        if (!reply.is_ok()) co_return Refused{};
        const Reply replicas = co_await client_.command("WAIT", 1, kPatience);
        if (replicas.as_integer() >= 1) co_return Grant{token_, ttl_.duration()};
        // A replica may have the key all the same, and take over before it is deleted there.
        co_await client_.eval(kCompareAndDelete, key_, token_);
        co_return Unknown{};
    }

    Task<Release> release() override {
        const Reply reply = co_await client_.eval(kCompareAndDelete, key_, token_);
        if (reply.failed()) co_return Failed{reply};
        co_return reply.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Ttl ttl_;
    Token token_;
};

}  // namespace

std::unique_ptr<Lock> make_wait_replicated(Client& client, const Key& key,
                                           const LockOptions& options) {
    return std::make_unique<WaitReplicated>(client, key, options);
}

}  // namespace locklab
