// Processes of plays on driver stages, kept from one play to the next: the drivers, and the servers
// while they fit the next play.
#pragma once

#include <memory>

#include "harness/foreign/team.h"
#include "harness/live/managed_servers.h"

namespace locklab {

class StageProcesses {
public:
    /// The subject must outlive it. Starts no process yet.
    explicit StageProcesses(const Subject& subject) : team_(subject) {}

    Team& team() { return team_; }
    /// Servers of this topology, with right clocks. Throws as ManagedServers does.
    ManagedServers& servers(const Topology& topology, ManagedServers::ItsClock clock) {
        if (servers_ == nullptr || servers_->topology() != topology || clock_ != clock) {
            servers_.reset();
            servers_ = std::make_unique<ManagedServers>(topology, clock);
            clock_ = clock;
        }
        servers_->begin_run();
        return *servers_;
    }

private:
    Team team_;
    std::unique_ptr<ManagedServers> servers_;
    ManagedServers::ItsClock clock_ = ManagedServers::ItsClock::right;
};

}  // namespace locklab
