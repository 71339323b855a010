// The Redis of a live run: somebody's, or a private one that lives as long as this.
#pragma once

#include <memory>
#include <string>

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

    bool is_private() const { return process_ != nullptr; }
    const std::string& version() const { return version_; }
    const Endpoint& endpoint() const { return endpoint_; }
    LiveLoop& loop() { return *loop_; }

private:
    std::unique_ptr<RedisProcess> process_;
    Endpoint endpoint_;
    std::string version_;
    std::unique_ptr<LiveLoop> loop_;
};

}  // namespace locklab
