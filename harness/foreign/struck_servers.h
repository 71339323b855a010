// What a plan does to the servers of a run of drivers, and who learns of another master when.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "harness/core/fault.h"
#include "harness/core/history.h"
#include "harness/core/run_spec.h"
#include "harness/foreign/foreign_setup.h"
#include "harness/live/managed_servers.h"

namespace locklab {

class StruckServers {
public:
    using Clock = std::chrono::steady_clock;

    /// `key`: the lock's own, by the name that the lock gives it. `asks`: the lock asks servers.
    StruckServers(ForeignSetup& setup, ManagedServers& servers, const RunSpec& spec,
                  std::string key, bool asks)
        : setup_(setup), servers_(servers), spec_(spec), key_(std::move(key)), asks_(asks) {}

    /// Does what is planned for a server now. By how much, as it is to be noted (of an old snapshot
    /// how old it is); nothing: it could not be done, and nobody was struck.
    std::optional<Duration> strike(const PlannedFault& fault);

    /// When the next client learns that the replica has taken over; nothing: none will.
    std::optional<Clock::time_point> next_learning() const;
    /// One whose time has come; it is no more among those that will.
    std::optional<ClientId> learner(Clock::time_point now);
    void learns(ClientId client, Clock::time_point when) { learns_.emplace(when, client); }
    /// Its link leads to the new master, which is returned; the connections that it has end.
    NodeId lead(ClientId client);

private:
    bool evict(NodeId node);
    void let_learn(Duration after);

    ForeignSetup& setup_;
    ManagedServers& servers_;
    const RunSpec& spec_;
    const std::string key_;
    const bool asks_;
    std::multimap<Clock::time_point, ClientId> learns_;
};

/// What came of servers that hung.
Hangs hangs_in(const History& history);

}  // namespace locklab
