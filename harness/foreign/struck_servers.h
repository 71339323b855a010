// Planned faults of the servers of a driver run, and when each client learns of a new master.
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
#include "harness/foreign/own_servers.h"
#include "harness/live/managed_servers.h"

namespace locklab {

class StruckServers {
public:
    using Clock = std::chrono::steady_clock;

    /// `own`: the servers of a lock that is not in Redis, or null. `key`: the lock's key, as the
    /// lock names it. `asks`: the lock sends commands to servers.
    StruckServers(ForeignSetup& setup, ManagedServers& servers, OwnServers* own,
                  const RunSpec& spec, std::string key, bool asks)
        : setup_(setup),
          servers_(servers),
          own_(own),
          spec_(spec),
          key_(std::move(key)),
          asks_(asks) {}

    struct Strike {
        Duration amount{0};  ///< of a restart from a snapshot: the snapshot's real age
        std::string key{};   ///< of an eviction: which key went; empty: the lock's own
        NodeId node{};
    };
    /// Makes a planned fault of a server now, and returns what the history says of it. Nothing:
    /// the fault could not be made.
    std::optional<Strike> strike(const PlannedFault& fault);

    /// When a server is due to come back or to go on. Nothing: none is.
    std::optional<Clock::time_point> next_due() const;
    /// Brings back what is due. Returns how late the latest of it was.
    Duration do_due(Clock::time_point now);
    /// Until when a server answered nothing, and will not; nothing: each always did.
    std::optional<Clock::time_point> away_until() const;
    /// Whether this server did not answer for a while. Of own servers: whether any did not.
    bool was_away(NodeId node) const {
        return own_ != nullptr ? own_->away_until().has_value() : servers_.was_away(node);
    }
    /// The run is over: all servers are as they were.
    void end();

    /// When the next client learns that the replica has taken over. Nothing: none will.
    std::optional<Clock::time_point> next_learning() const;
    /// Removes and returns a client that is due to learn. Nothing: none is.
    std::optional<ClientId> learner(Clock::time_point now);
    void learns(ClientId client, Clock::time_point when) { learns_.emplace(when, client); }
    /// Leads the client's link to the new master and cuts its connections. Returns the new master.
    NodeId lead(ClientId client);

private:
    std::optional<Strike> strike_own(const PlannedFault& fault);
    std::optional<Strike> evict(NodeId node);
    std::optional<Strike> flush(NodeId node);
    void let_learn(Duration after);

    ForeignSetup& setup_;
    ManagedServers& servers_;
    OwnServers* const own_;
    const RunSpec& spec_;
    const std::string key_;
    const bool asks_;
    std::multimap<Clock::time_point, ClientId> learns_;
};

}  // namespace locklab
