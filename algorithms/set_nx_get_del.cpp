// Article: many clients that use no script, such as the RedisLock of Spring Integration until 2023
//          (https://github.com/spring-projects/spring-integration/issues/8699).
// Idea:    one atomic SET key token NX EX takes the lock; the holder reads the key, and deletes it
//          if it still holds the holder's own token.
// Claims:  a crash frees the lock after its TTL; only the holder can release it.
// Breaks:  what breaks set_nx_lua, and anything that comes between GET and DEL: the key expires,
//          another client takes the lock, and the DEL frees that client's key.

#include "algorithms/algorithms.h"
#include "algorithms/ttl.h"

namespace locklab {

namespace {

class SetNxGetDel final : public Lock {
public:
    SetNxGetDel(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply reply = co_await client_.command("SET", key_, token_, "NX", ttl_);
        if (reply.failed()) co_return Failed{reply};
        if (!reply.is_ok()) co_return Refused{};
        co_return Grant{token_, ttl_.duration()};
    }

    Task<Release> release() override {
        const Reply held = co_await client_.command("GET", key_);
        if (held.failed()) co_return Failed{held};
        if (held.text() != token_.text) co_return Release::not_ours;
        // Here the key may expire, and another client may take the lock.
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Ttl ttl_;
    Token token_;
};

}  // namespace

std::unique_ptr<Lock> make_set_nx_get_del(Client& client, const Key& key,
                                          const LockOptions& options) {
    return std::make_unique<SetNxGetDel>(client, key, options);
}

}  // namespace locklab
