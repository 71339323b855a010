// Article: 001 "Redis (7): distributed locks", its implementation.
// Idea:    one atomic SET key token NX EX takes the lock; a script deletes the key only if
//          it still holds the holder's own token.
// Claims:  a crash frees the lock after its TTL; only the holder can release it.
// Breaks:  anything that keeps the holder at work after its TTL (a pause, a slow job, a late
//          reply), and anything that makes Redis forget the key early.

#include "algorithms/algorithms.h"
#include "algorithms/compare_and_delete.h"
#include "algorithms/ttl.h"

namespace locklab {

namespace {

class SetNxLua final : public Lock {
public:
    SetNxLua(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply reply = co_await client_.command("SET", key_, token_, "NX", ttl_);
        if (reply.failed()) co_return Failed{reply};
        if (!reply.is_ok()) co_return Refused{};
        co_return Grant{token_, ttl_.duration()};
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

std::unique_ptr<Lock> make_set_nx_lua(Client& client, const Key& key, const LockOptions& options) {
    return std::make_unique<SetNxLua>(client, key, options);
}

}  // namespace locklab
