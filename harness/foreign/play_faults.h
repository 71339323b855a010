// The faults of a play of driver processes: which can strike now, and how they strike.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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
    PlayFaults(PlayWorld& world, const PlaySpec& spec);

    /// Adds the faults that are left and can strike now.
    void offer(std::span<const PlayClient> clients, std::vector<PlayOption>& options) const;
    void strike(const PlayOption& option, std::span<PlayClient> clients);

    /// A fault delays this frame beyond `now`.
    bool is_held_back(const HeldFrame& frame, Instant now) const;
    /// When the next delay or outage ends.
    std::optional<Instant> next_time() const;
    /// Ends the delays, outages and pauses whose time has come. False: there were none.
    bool pass(std::span<PlayClient> clients);
    /// Ends the play: starts servers that are down.
    void end();

private:
    using Way = std::pair<std::uint32_t, LinkWay>;  ///< of a connection

    Duration amount_of(const HazardRow& row) const;
    void offer_servers(const HazardRow& row, std::vector<PlayOption>& options) const;
    void strike_message(const PlayOption& option, PlayClient& client);

    PlayWorld& world_;
    FaultBudget left_;
    const Duration length_;
    const Duration outage_;
    std::vector<std::pair<Way, Instant>> late_;
    std::vector<std::optional<Instant>> starts_;  ///< when each server starts again, if it is down
};

}  // namespace locklab
