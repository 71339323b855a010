// Article: none of the five; the lock-delay of Chubby (Burrows 2006, section 2.4) and of Consul
//          (https://developer.hashicorp.com/consul/docs/dynamic-app-config/sessions).
// Idea:    the key lives for a lease and as long again. The holder knows of the lease alone and
//          stops at its end; so a lock that expired stays closed for that delay. A clean release
//          opens it at once.
// Claims:  what a holder sent within its lease may come late, by up to the delay, and find the lock
//          still its own.
// Breaks:  whatever lasts longer than lease and delay; anything that makes Redis forget the key.
#include "algorithms/algorithms.h"
#include "algorithms/compare_and_delete.h"
#include "algorithms/own_lease.h"

namespace locklab {

namespace {

class LockDelay final : public Lock {
public:
    LockDelay(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl), lease_(client, options.ttl) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Duration began = lease_.now();
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", milliseconds());
        if (set.failed()) co_return Failed{set};
        if (!set.is_ok()) co_return Refused{};
        lease_.begin(began);
        if (lease_.is_over()) {
            co_await client_.eval(kCompareAndDelete, key_, token_);
            co_return Unknown{};
        }
        end_of_lease_ = client_.spawn(lease_.tell_at_end());
        co_return Grant{token_, lease_.left()};
    }

    Task<Release> release() override {
        client_.cancel(end_of_lease_);
        if (lease_.is_over()) co_return Release::not_ours;
        const Reply deleted = co_await client_.eval(kCompareAndDelete, key_, token_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    /// Of the key: the lease, and the delay.
    std::int64_t milliseconds() const { return 2 * ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    OwnLease lease_;
    Token token_;
    Background end_of_lease_;
};

}  // namespace

std::unique_ptr<Lock> make_lock_delay(Client& client, const Key& key, const LockOptions& options) {
    return std::make_unique<LockDelay>(client, key, options);
}

}  // namespace locklab
