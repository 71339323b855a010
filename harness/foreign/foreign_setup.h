// A run of driver processes before its first move: what was drawn for it, the proxy between its
// clients and its servers, and the drivers, which have opened the lock.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/random_choices.h"
#include "harness/foreign/foreign_run.h"
#include "harness/foreign/link_plan.h"
#include "harness/foreign/link_table.h"
#include "harness/foreign/run_story.h"
#include "harness/proxy/proxy_thread.h"

namespace locklab {

struct ForeignSetup {
    /// `own`: the servers of a lock that is not in Redis, or null. Throws std::runtime_error.
    ForeignSetup(const ForeignConfig& config, ManagedServers& servers, const OwnServers* own);
    /// Drivers open the lock, and take and release it once. Throws DriverTrouble, or
    /// std::runtime_error if a server fails.
    void open(const ForeignConfig& config, Team& team, ManagedServers& servers);
    /// Call when something went wrong: throws DriverTrouble if a driver of this library has changed
    /// its server, which may end anything at any moment. Stops the proxy.
    void blame_operator(const std::string& library) const;
    /// Call when the run is over, and the proxy has stopped: throws DriverTrouble if a driver has
    /// changed its server, or did to the proxy what no client does.
    void check_drivers(const std::string& library) const;

    LinkTable table;
    RandomChoices choices;
    std::vector<PlannedFault> plan;
    FaultSchedule schedule;
    std::string key;
    LinkPlan links;
    std::unique_ptr<ProxyThread> proxy;
    std::string operator_trouble;  ///< where the log of the proxy has been read: what it says
    std::string trouble;           ///< what went wrong before the run began; empty: nothing
    ServerNotes notes;
    std::chrono::steady_clock::time_point began;
    std::unique_ptr<RunStory> story;

private:
    void open_drivers(const ForeignConfig& config, Team& team, ManagedServers& servers);
};

/// A setup that is open; a busy machine gets several tries. Throws as open() does.
std::unique_ptr<ForeignSetup> set_up(const ForeignConfig& config, Team& team,
                                     ManagedServers& servers);

}  // namespace locklab
