// Article: 004 before its watchdog (LockByExpire, DoJob, Unlock).
// Idea:    one atomic SET key value NX EX takes the lock, so it always expires.
// Claims:  a crash frees the lock after its TTL.
// Breaks:  DEL does not ask whose lock it deletes: a holder that outlives its TTL, or a DEL
//          that comes late or twice, frees its successor's lock.
#include "algorithms/algorithms.h"
#include "algorithms/ttl.h"

namespace locklab {

namespace {

const Token kValueOfLock{"1"};

class SetNxDel final : public Lock {
public:
    SetNxDel(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options) {}

    Task<Acquired> try_acquire() override {
        const Reply set = co_await client_.command("SET", key_, kValueOfLock, "NX", ttl_);
        if (set.failed()) co_return Failed{set};
        if (!set.is_ok()) co_return Refused{};
        co_return Grant{kValueOfLock, ttl_.duration()};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Ttl ttl_;
};

}  // namespace

std::unique_ptr<Lock> make_set_nx_del(Client& client, const Key& key, const LockOptions& options) {
    return std::make_unique<SetNxDel>(client, key, options);
}

}  // namespace locklab
