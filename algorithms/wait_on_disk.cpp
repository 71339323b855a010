// Article: the page of Redis on WAITAOF (https://redis.io/docs/latest/commands/waitaof/).
// Idea:    wait_replicated, whose client has the lock once a replica has the key on its disk; Redis
//          7.2 and Valkey can be asked that.
// Claims:  the replica that takes over knows the key, also where its machine was down in between.
// Breaks:  what breaks wait_replicated. A replica answers up to a second later: a lock takes long.

#include "algorithms/algorithms.h"
#include "algorithms/compare_and_delete.h"
#include "algorithms/ttl.h"

namespace locklab {

namespace {

/// How long a client waits for the replica, in milliseconds: replicas tell once a second.
constexpr int kPatience = 1500;

class WaitOnDisk final : public Lock {
public:
    WaitOnDisk(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply reply = co_await client_.command("SET", key_, token_, "NX", ttl_);
        if (reply.failed()) co_return Failed{reply};
        if (!reply.is_ok()) co_return Refused{};
        // How many have it on disk: of the master, and of its replicas.
        const Reply disks = co_await client_.command("WAITAOF", 0, 1, kPatience);
        const bool has_two = disks.elements().size() == 2;
        if (has_two && disks.elements()[1].as_integer() >= 1) {
            co_return Grant{token_, ttl_.duration()};
        }
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

std::unique_ptr<Lock> make_wait_on_disk(Client& client, const Key& key,
                                        const LockOptions& options) {
    return std::make_unique<WaitOnDisk>(client, key, options);
}

}  // namespace locklab
