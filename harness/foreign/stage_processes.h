// The processes of plays on driver stages, kept from one play to the next: the drivers, and the
// servers as long as they are as the next play needs them.
#pragma once

#include <memory>

#include "harness/foreign/foreign_servers.h"
#include "harness/foreign/team.h"

namespace locklab {

class StageProcesses {
public:
    /// The subject must outlive it. Starts nobody yet.
    explicit StageProcesses(const Subject& subject) : team_(subject) {}

    Team& team() { return team_; }
    /// Such, and their clocks are right by now. Throws as ForeignServers does.
    ForeignServers& servers(const Topology& topology, ForeignServer::ItsClock clock) {
        if (servers_ == nullptr || servers_->topology() != topology || clock_ != clock) {
            servers_.reset();
            servers_ = std::make_unique<ForeignServers>(topology, clock);
            clock_ = clock;
        }
        servers_->begin_run();
        return *servers_;
    }

private:
    Team team_;
    std::unique_ptr<ForeignServers> servers_;
    ForeignServer::ItsClock clock_ = ForeignServer::ItsClock::right;
};

}  // namespace locklab
