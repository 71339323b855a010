// A fault plan: which faults a run will have, when, on whom and how much, drawn once at its
// start. The schedule hands each fault out at its moment; a world only carries it out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/core/choices.h"
#include "harness/core/fault_budget.h"
#include "harness/core/hazard.h"
#include "harness/core/history.h"
#include "harness/core/names.h"
#include "harness/core/time.h"

namespace locklab {

/// A point in a client's life: its nth observation (or its nth command, for faults of messages)
/// in one phase, counted from the beginning of a round: a round that has fewer goes on in the
/// next, so that what was planned strikes. Rounds count from 1, nth from 0.
struct Moment {
    ClientId client;
    std::uint32_t round = 1;
    Phase phase = Phase::inside;
    std::uint32_t nth = 0;
};

struct PlannedFault {
    Hazard hazard = kNoFault;
    Moment moment;
    /// How long a pause, stall, delay, slow job or restart is; by how much a clock is off; how
    /// old a snapshot is; after how long a replica takes over.
    Duration amount{0};
    NodeId node{};  ///< the server that it befalls, or that takes over, if it does
    /// Of an eviction: which key goes; empty: the lock's own. A plan leaves it to the moment.
    std::string key{};
};

struct FaultScale {
    std::uint32_t clients = 3;
    /// What amounts are measured in: the lock's TTL, or the time that stands for one.
    Duration ttl{0};
    bool renews = false;     ///< whether there are background tasks to be struck
    bool reentrant = false;  ///< whether jobs take the lock again: then commands are sent inside
    Duration timeout{0};     ///< of a command: a late reply comes before; zero: there is none
    std::uint32_t servers = 1;
};

/// Draws a plan. Each fault of the budget is left out in one run of eight (and always by a
/// calm Choices). A fault that strikes the background task of a lock that renews comes with a
/// slow job in the same round.
std::vector<PlannedFault> draw_plan(const FaultBudget& budget, const FaultScale& scale,
                                    Choices& choices);

/// Pauses by the clock, whatever the clients are about: one of them, drawn anew each time, stops
/// every so often. None where `every` is zero. A plan's pauses wait for a moment of a round.
struct RegularPauses {
    Duration every{0};
    Duration length{0};
};

class FaultSchedule {
public:
    FaultSchedule() = default;
    explicit FaultSchedule(std::vector<PlannedFault> plan) : plan_(std::move(plan)) {}

    /// The fault that strikes as `client` is about to take an observation, or null.
    /// Crash, pause, stall, clocks, restart and evict strike here. Each is handed out once.
    const PlannedFault* on_observation(ClientId client, std::uint32_t round, Phase phase) {
        return plan_.empty() ? nullptr : strike(client, round, phase, false);
    }
    /// The fault that strikes the command that `client` now sends, or null.
    const PlannedFault* on_send(ClientId client, std::uint32_t round, Phase phase) {
        return plan_.empty() ? nullptr : strike(client, round, phase, true);
    }
    /// The planned slow job of this round.
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round);
    /// By how much `client`'s wall clock is off from the start; of a process of so many tasks, the
    /// process'.
    Duration clock_offset(ClientId client, std::uint32_t tasks = 1) const;

    const std::vector<PlannedFault>& plan() const { return plan_; }

private:
    const PlannedFault* strike(ClientId client, std::uint32_t round, Phase phase, bool on_send);

    std::vector<PlannedFault> plan_;
};

}  // namespace locklab
