// Article: redis-objects from 1.4.2 on, the gem whose older lock article 000 quotes
//          (https://github.com/nateware/redis-objects).
// Idea:    SET key value NX PX takes the lock, with one value for all (the gem's is empty). Its
//          holder notes by its own clock when the key expires, and deletes it only before that.
// Claims:  a crash frees the lock after its TTL; a job that took too long frees nobody else's lock.
// Breaks:  what breaks set_nx_del, but for a slow job's DEL. The clock is read before the DEL is
//          sent: a pause or a slow network in between leads past that time.

#include "algorithms/algorithms.h"
#include "algorithms/deadline.h"
#include "algorithms/ttl.h"

namespace locklab {

namespace {

const Token kValueOfLock{"locked"};

class SetNxTimeDel final : public Lock {
public:
    SetNxTimeDel(Client& client, Key key, const LockOptions& options)
        : client_(client),
          key_(std::move(key)),
          ttl_(options),
          clock_(client, options.clock_unit) {}

    Task<Acquired> try_acquire() override {
        end_ = clock_.now() + clock_.units(ttl_.duration());
        const Reply reply = co_await client_.command("SET", key_, kValueOfLock, "NX", ttl_);
        if (reply.failed()) co_return Failed{reply};
        if (!reply.is_ok()) co_return Refused{};
        co_return Grant{kValueOfLock, ttl_.duration()};
    }

    Task<Release> release() override {
        if (end_ <= clock_.now()) co_return Release::not_ours;
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Ttl ttl_;
    const UnitClock clock_;
    std::int64_t end_ = 0;  ///< by this client's clock, in its unit
};

}  // namespace

std::unique_ptr<Lock> make_set_nx_time_del(Client& client, const Key& key,
                                           const LockOptions& options) {
    return std::make_unique<SetNxTimeDel>(client, key, options);
}

}  // namespace locklab
