// Locks that tests write themselves, each for one way to go astray.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "algorithms/registry.h"
#include "harness/core/lock.h"

namespace locklab {

/// Says how it is taken. It is given back by DEL, whosever the key is.
class DeletesItsKey : public Lock {
public:
    DeletesItsKey(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl) {}

    Task<Release> release() override {
        co_await client_.command("DEL", key_);
        co_return Release::yes;
    }

protected:
    /// The TTL in milliseconds, as PX takes it.
    std::int64_t ms() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    Duration ttl_;
};

/// The row of the lock called `like`, with a Written in its place.
template <class Written>
Algorithm written(const char* like, const char* name = "lock_of_a_test") {
    Algorithm lock = *algorithm_named(like);
    lock.name = name;
    lock.make = [](Client& client, const Key& key,
                   const LockOptions& options) -> std::unique_ptr<Lock> {
        return std::make_unique<Written>(client, key, options);
    };
    return lock;
}

}  // namespace locklab
