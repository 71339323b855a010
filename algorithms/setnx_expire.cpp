// Article: 001, closing remark on "Rewriting our lock": SETNX, then EXPIRE.
// Idea:    give the key of setnx_del an expiry with a second command.
// Claims:  a holder that crashes blocks the others for one TTL only.
// Breaks:  between the two commands: a client that stops there leaves a key that never expires.
//          And like every lease with a plain DEL: by a holder that outlives its TTL.
#include "algorithms/algorithms.h"
#include "algorithms/ttl.h"

namespace locklab {

namespace {

const Token kValueOfLock{"1"};

class SetnxExpire final : public Lock {
public:
    SetnxExpire(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options) {}

    Task<Acquired> try_acquire() override {
        const Reply created = co_await client_.command("SETNX", key_, kValueOfLock);
        if (created.failed()) co_return Failed{created};
        if (!created.is_integer(1)) co_return Refused{};
        // The article's code does not look at what EXPIRE answers.
        co_await client_.command(ttl_.expire(key_));
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

std::unique_ptr<Lock> make_setnx_expire(Client& client, const Key& key,
                                        const LockOptions& options) {
    return std::make_unique<SetnxExpire>(client, key, options);
}

}  // namespace locklab
