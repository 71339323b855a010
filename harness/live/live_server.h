// The Redis of a live run: a foreign one, or private servers that live as long as this.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/fault_budget.h"
#include "harness/core/watcher.h"
#include "harness/live/live_loop.h"

namespace locklab {

/// Removes what killed runs left, and reports it: folders of private servers, and keys on the
/// server at `redis` unless that is empty.
void clean_up_after_killed_runs(const std::string& redis, const Watcher& watcher);

class LiveServer {
public:
    /// `redis` is host:port, or empty for a private server. Throws UsageError if no usable Redis is
    /// at that address, and std::runtime_error if a private one cannot be started. Cleans up after
    /// runs that were killed.
    LiveServer(const std::string& redis, const Watcher& watcher);

    /// Starts private servers until the topology has enough, with the clocks that these faults
    /// need. A foreign server stays the only one; the loop then refuses runs that need more. Throws
    /// std::runtime_error.
    void start(const Topology& topology, const FaultBudget& faults = {});

    bool is_private() const { return servers_ != nullptr; }
    const std::string& version() const { return version_; }
    /// Of the first server.
    const Endpoint& endpoint() const { return is_private() ? servers_->endpoint() : endpoint_; }
    std::vector<Endpoint> endpoints() const;
    LiveLoop& loop() { return *loop_; }

private:
    std::unique_ptr<ManagedServers> servers_;  ///< null: a foreign server
    Endpoint endpoint_;
    std::string version_;
    std::unique_ptr<LiveLoop> loop_;
};

}  // namespace locklab
