// The servers of a lock that is not in Redis, as the program of its manifest ('servers') starts
// them. They serve one client after another, for all runs; keys are fresh in each. What the program
// is told, and says: drivers/MANIFEST.md.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/names.h"
#include "harness/driver/driver_process.h"
#include "harness/live/endpoint.h"
#include "harness/live/temp_folder.h"

namespace locklab {

class OwnServers {
public:
    using Clock = std::chrono::steady_clock;

    /// Returns when all of them answer. `library`: for sentences. Throws std::runtime_error.
    OwnServers(std::string library, DriverProcess::Start start);

    const std::vector<Endpoint>& nodes() const { return nodes_; }
    std::uint32_t count() const { return static_cast<std::uint32_t>(nodes_.size()); }
    /// A server hangs (SIGSTOP) for this long. False: one is away already. Throws
    /// std::runtime_error.
    bool freeze(NodeId node, Duration length);
    /// The leader is killed, and started again with its data after this long. Nothing: a server is
    /// away already. Throws std::runtime_error.
    std::optional<NodeId> kill_leader(Duration length);
    /// When a server that is away is to come back. Nothing: none is.
    std::optional<Clock::time_point> next_due() const;
    /// Brings it back if that is due. Returns how late that was.
    Duration do_due(Clock::time_point now);
    /// Brings back what is away, and returns when all answer. Throws std::runtime_error, also where
    /// one has ended that was not told to.
    void restore();
    /// All of them stop, for good.
    void stop_all() { process_.stop(); }
    /// Until when a server was away, or is; nothing: none ever was.
    std::optional<Clock::time_point> away_until() const { return away_until_; }

private:
    struct Away {
        NodeId node;
        const char* comes_back;  ///< the order for it
        Clock::time_point due;
    };

    void leaves(NodeId node, const char* comes_back, Duration length);
    void come_back();
    nlohmann::json tell(const nlohmann::ordered_json& order);
    void tell(const char* what, NodeId node) { tell({{"op", what}, {"node", node.value}}); }
    nlohmann::json hear();

    const std::string library_;
    TempFolder folder_;  // outlives them
    DriverProcess process_;
    std::vector<Endpoint> nodes_;
    std::optional<Away> away_;
    std::optional<Clock::time_point> away_until_;
};

}  // namespace locklab
