// The faults of a play of driver processes: which can strike now, and how they strike.
//
// A server that hangs answers nobody. All that is sent to it has arrived, and waits at the gate as
// it would in the sockets of a process that is stopped:
//
// 1. No fault strikes it any more, and its client may give up or close its connection: it runs.
// 2. When the server goes on it runs all of it before anything that comes later, in the order in
//    which connections first had something for it; that of one connection together, as Redis does.
// 3. If the server is restarted meanwhile, it is lost with its connection.
//
// Answers that had left the server reach their clients.
//
// Through a partition nothing gets, either way. What was sent meanwhile, over any connection, comes
// when it ends, as TCP sends it again.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/fault_budget.h"
#include "harness/foreign/play_client.h"
#include "harness/foreign/play_drive.h"
#include "harness/foreign/play_world.h"

namespace locklab {

struct PlaySpec;

class PlayFaults {
public:
    /// `asks`: the lock asks servers; one that asks none survives any eviction.
    PlayFaults(PlayWorld& world, const PlaySpec& spec, bool asks);

    /// Adds the faults that are left and can strike now.
    void offer(std::span<const PlayClient> clients, std::vector<PlayOption>& options) const;
    void strike(const PlayOption& option, std::span<PlayClient> clients);

    /// Call it before options are made, each time: it sees what has come to a server that hangs.
    void take_arrivals();
    /// A fault delays this frame beyond `now`, its server hangs, or has to run others before it.
    bool is_held_back(const HeldFrame& frame, Instant now) const;
    /// It is a request that waits for a server that hangs, or hung when it came.
    bool has_arrived(const HeldFrame& frame) const;
    /// It has arrived, and its server goes on: if it is at the gate only now, it came while the
    /// server hung, behind another of its connection.
    bool came_behind(const HeldFrame& frame) const;
    /// Some server hangs, or a link is cut, or did so after that.
    bool hung_since(Instant then) const;
    /// When the next delay, outage, hang or partition ends.
    std::optional<Instant> next_time() const;
    /// Ends the delays, outages, hangs, partitions and pauses whose time has come. False: there
    /// were none.
    bool pass(std::span<PlayClient> clients);
    /// Ends the play: starts servers that are down, and lets those go on that hang.
    void end();

private:
    using Way = std::pair<std::uint32_t, LinkWay>;  ///< of a connection

    Duration amount_of(const HazardRow& row) const;
    void offer_servers(const HazardRow& row, std::vector<PlayOption>& options) const;
    static void offer_errors(const HeldFrame& frame, std::size_t held,
                             std::vector<PlayOption>& options);
    bool can_strike(const HazardRow& row, NodeId node) const;
    std::vector<std::string> keys_to_evict(NodeId node) const;
    bool is_late(const HeldFrame& frame, Instant now) const;
    bool is_cut(std::uint32_t client, NodeId node, Instant now) const;
    void strike_message(const PlayOption& option, PlayClient& client);
    void strike_server(const PlayOption& option);

    PlayWorld& world_;
    const bool asks_;
    FaultBudget left_;
    const Duration length_;
    const Duration outage_;
    std::vector<std::pair<Way, Instant>> late_;
    /// Until when nothing gets through between a client and a server.
    std::map<std::pair<std::uint32_t, NodeId>, Instant> cut_until_;
    std::vector<std::optional<Instant>> starts_;  ///< when each server starts again, if it is down
    std::vector<std::optional<Instant>> thaws_;   ///< when each server goes on, if it hangs
    std::optional<Instant> went_on_;  ///< when a server that hung, or a link, did so last
    /// By server: connections with requests that came while it hung, in order.
    std::vector<std::deque<std::uint32_t>> arrived_;
};

}  // namespace locklab
