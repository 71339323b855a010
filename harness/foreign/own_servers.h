// The servers of a lock that is not in Redis, as the program of its manifest ('servers') starts
// them. They serve one client after another, for all runs; keys are fresh in each.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/names.h"
#include "harness/driver/driver_process.h"
#include "harness/live/temp_folder.h"

namespace locklab {

class OwnServers {
public:
    /// Returns when all of them answer. `library`: for sentences. Throws std::runtime_error.
    OwnServers(std::string library, DriverProcess::Start start);

    /// Their addresses, "127.0.0.1:2379".
    const std::vector<std::string>& nodes() const { return nodes_; }
    using Clock = std::chrono::steady_clock;
    /// A server hangs (SIGSTOP) for this long. False: one hangs already. Throws std::runtime_error.
    bool freeze(NodeId node, Duration length);
    /// When a server that hangs is to go on. Nothing: none hangs.
    std::optional<Clock::time_point> next_due() const { return thaws_; }
    /// Lets it go on if that is due. Returns how late that was.
    Duration do_due(Clock::time_point now);
    /// Lets it go on now, if one hangs.
    void thaw();
    /// All of them stop, for good.
    void stop_all() { process_.stop(); }
    /// Until when a server hung, or hangs; nothing: none ever did.
    std::optional<Clock::time_point> hung_until() const { return hung_until_; }

private:
    void tell(const char* what);
    nlohmann::json hear();

    const std::string library_;
    TempFolder folder_;  // outlives them
    DriverProcess process_;
    std::vector<std::string> nodes_;
    NodeId frozen_{};
    std::optional<Clock::time_point> thaws_;
    std::optional<Clock::time_point> hung_until_;
};

}  // namespace locklab
