// A master with its replicas, and three Sentinels that watch it: real processes, on loopback, in
// folders of their own. Replicas that are held back follow through a link that delays what the
// master sends.
//
// None of the processes outlives this, however it ends (see RedisProcess). Its thread must live as
// long. Nobody sets their clocks: a Sentinel whose clock jumps stops working for a while (TILT).
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/failover/failover_cell.h"
#include "harness/failover/slow_link.h"
#include "harness/live/redis_process.h"

namespace locklab {

class SentinelGroup {
public:
    using Clock = std::chrono::steady_clock;

    static constexpr std::uint32_t kSentinels = 3;
    /// A Sentinel takes a master for dead that has not answered for this long.
    static constexpr Duration kDownAfter = std::chrono::milliseconds(300);

    /// Returns when replicas have their master's data, and each Sentinel knows the other two and
    /// all replicas. Throws std::runtime_error with one sentence.
    explicit SentinelGroup(const FailoverCell& cell);
    SentinelGroup(const SentinelGroup&) = delete;
    SentinelGroup& operator=(const SentinelGroup&) = delete;

    const std::string& version() const { return version_; }
    const RedisProcess& master() const { return *master_; }
    /// How late the link was, at most, since the last call and until now.
    Duration take_worst_lag() { return link_ ? link_->take_worst_lag() : Duration(0); }
    /// As kill -9. What the link has not passed on by then is lost.
    void kill_master() { master_->kill(); }
    /// Where clients find the new master, as they do it: a Sentinel names it, and it says itself
    /// that it is one. Nothing: there is none within `limit`.
    std::optional<Endpoint> promoted(Duration limit) const;

private:
    std::string sentinel_lines() const;
    void introduce_sentinels() const;
    void await_sentinels() const;
    /// Why this Sentinel could not lead a failover now; empty: it could.
    std::string what_it_lacks(const RedisProcess& sentinel) const;

    const FailoverCell cell_;
    std::string version_;
    std::unique_ptr<RedisProcess> master_;
    std::unique_ptr<SlowLink> link_;  ///< null: nothing is held back
    std::vector<std::unique_ptr<RedisProcess>> replicas_;
    std::vector<std::unique_ptr<RedisProcess>> sentinels_;
};

}  // namespace locklab
