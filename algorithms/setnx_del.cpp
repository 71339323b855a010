// Article: 000, the first process (SETNX, DEL); 002, first half; 003, listing 2-2 (SET NX).
// Idea:    the client that creates the key holds the lock; deleting the key releases it.
// Claims:  SETNX is atomic, so only one client can get 1.
// Breaks:  a crashed holder, a lost DEL or a lost reply to SETNX leaves the key for ever; a DEL
//          that is sent again frees another client's lock.
#include "algorithms/algorithms.h"

namespace locklab {

namespace {

const Token kValueOfLock{"locking"};

class SetnxDel final : public Lock {
public:
    SetnxDel(Client& client, Key key) : client_(client), key_(std::move(key)) {}

    Task<Acquired> try_acquire() override {
        const Reply created = co_await client_.command("SETNX", key_, kValueOfLock);
        if (created.failed()) co_return Failed{created};
        if (!created.is_integer(1)) co_return Refused{};
        co_return Grant{kValueOfLock};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
};

}  // namespace

std::unique_ptr<Lock> make_setnx_del(Client& client, const Key& key, const LockOptions&) {
    return std::make_unique<SetnxDel>(client, key);
}

}  // namespace locklab
