// The Redis of a live run: somebody's, or private servers that live as long as this.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/watcher.h"
#include "harness/live/live_loop.h"

namespace locklab {

/// Tells what runs left that were killed, and that it is removed now: folders of private servers,
/// and keys on the server at `redis` unless that is empty.
void clean_up_after_killed_runs(const std::string& redis, const Watcher& watcher);

class LiveServer {
public:
    /// `redis` is host:port, or empty for a private server. Throws UsageError where there is no
    /// Redis at that address that takes what locks do, and std::runtime_error where a private one
    /// cannot be started. Cleans up after runs that were killed.
    LiveServer(const std::string& redis, const Watcher& watcher);

    /// Starts private servers until the topology has its own. Somebody's stays the only one, which
    /// the loop then refuses to runs that need more. Throws std::runtime_error.
    void start(const Topology& topology);

    bool is_private() const { return !processes_.empty(); }
    const std::string& version() const { return version_; }
    /// Of the first.
    const Endpoint& endpoint() const { return endpoint_; }
    std::vector<Endpoint> endpoints() const;
    LiveLoop& loop() { return *loop_; }

private:
    std::vector<std::unique_ptr<RedisProcess>> processes_;
    std::unique_ptr<RedisProcess> replica_;
    Endpoint endpoint_;
    std::string version_;
    std::unique_ptr<LiveLoop> loop_;
};

}  // namespace locklab
