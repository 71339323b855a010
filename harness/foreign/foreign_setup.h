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
    /// Throws DriverTrouble.
    ForeignSetup(const ForeignConfig& config, Team& team, ManagedServers& servers);

    LinkTable table;
    RandomChoices choices;
    std::vector<PlannedFault> plan;
    FaultSchedule schedule;
    std::string key;
    LinkPlan links;
    std::unique_ptr<ProxyThread> proxy;
    std::string trouble;  ///< what went wrong before the run began; empty: nothing
    ServerNotes notes;
    std::chrono::steady_clock::time_point began;
    std::unique_ptr<RunStory> story;
};

}  // namespace locklab
