// Redlock and its forms: the same key at several servers that know nothing of one another. A
// majority of them must grant it, while enough of the lease is left.
// Source: redis.io, "Distributed Locks with Redis", the Redlock algorithm.
#pragma once

#include <memory>
#include <vector>

#include "harness/core/drift.h"
#include "harness/core/lock.h"

namespace locklab {

/// What a form does otherwise than the page.
struct RedlockForm {
    bool in_turn = false;        ///< asks one server after the other, not all at once
    bool checks_time = true;     ///< grants only if some of the lease is left
    bool undoes = true;          ///< deletes what a failed try has set
    bool by_wall_clock = false;  ///< measures the time of a try by a clock that can be set
    bool extends = false;        ///< a watchdog extends the lock at the servers
};

class Redlock final : public Lock {
public:
    Redlock(Client& client, Key key, const LockOptions& options, RedlockForm form)
        : client_(client),
          key_(std::move(key)),
          ttl_(options.ttl),
          renewal_(options.renewal),
          form_(form) {}

    Task<Acquired> try_acquire() override;
    Task<Release> release() override;

private:
    using Replies = std::vector<Reply>;

    Task<Replies> set_everywhere();
    /// The page's extension: a majority must still have the token, and in time.
    Task<> extend();

    bool is_majority(std::uint32_t servers) const { return servers > client_.servers() / 2; }
    /// The lease, less the time since then and what clocks may differ by, as the page computes it.
    Duration left_since(Duration began) const {
        if (!form_.checks_time) return ttl_;
        return ttl_ - (clock() - began) - drift_over(ttl_);
    }
    Duration clock() const {
        if (!form_.checks_time) return Duration(0);
        return Duration(form_.by_wall_clock ? us(client_.now()) : us(client_.monotonic()));
    }
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    const Duration renewal_;
    const RedlockForm form_;
    Token token_;
    Background watchdog_;
};

}  // namespace locklab
