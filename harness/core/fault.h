// A fault plan: which faults a run will have, when, on which client and how large, drawn once at
// its start. The schedule returns each fault at its moment; a world only carries it out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/core/choices.h"
#include "harness/core/error_kind.h"
#include "harness/core/fault_budget.h"
#include "harness/core/hazard.h"
#include "harness/core/history.h"
#include "harness/core/names.h"
#include "harness/core/time.h"

namespace locklab {

/// A point in a client's life: its nth observation (or its nth command, for message faults) in one
/// phase, counted from the beginning of a round. If a round has fewer, the count goes on in the
/// next one, so that every planned fault strikes. Rounds count from 1, nth from 0.
struct Moment {
    ClientId client;
    std::uint32_t round = 1;
    Phase phase = Phase::inside;
    std::uint32_t nth = 0;
};

struct PlannedFault {
    Hazard hazard = kNoFault;
    Moment moment;
    /// The length of a pause, stall, delay, slow job or restart; how far a clock is off; the age of
    /// a snapshot; the time until a replica takes over.
    Duration amount{0};
    NodeId node{};  ///< the server that it strikes, or that takes over, if it does
    /// Of an eviction: which key goes; empty: the lock's own. A plan leaves it to the moment.
    std::string key{};
    ErrorKind error = ErrorKind::loading;  ///< of an error reply: kind_for() fits it to its command
    bool ran = false;                      ///< of a reset or a partition: the command runs before
};

struct FaultScale {
    std::uint32_t clients = 3;
    /// The unit of amounts: the lock's TTL, or the time that stands for one.
    Duration ttl{0};
    bool renews = false;     ///< whether there are background tasks to strike
    bool reentrant = false;  ///< whether jobs take the lock again, and so send commands inside
    Duration timeout{0};     ///< of a command: late replies come before it; zero: none
    std::uint32_t servers = 1;
};

/// Draws a plan. Each fault of the budget is left out in one run of eight (and always if Choices
/// picks 0). A fault that strikes the background task of a lock that renews comes with a slow job
/// in the same round.
std::vector<PlannedFault> draw_plan(const FaultBudget& budget, const FaultScale& scale,
                                    Choices& choices);

/// Pauses by the clock, whatever the clients do: after every `every`, one client, drawn anew each
/// time, stops for `length`. None if `every` is zero. (A plan's pauses wait for a moment of a
/// round.)
struct RegularPauses {
    Duration every{0};
    Duration length{0};
};

class FaultSchedule {
public:
    FaultSchedule() = default;
    explicit FaultSchedule(std::vector<PlannedFault> plan) : plan_(std::move(plan)) {}

    /// The fault that strikes when `client` is about to take an observation, or null. Crash, pause,
    /// stall, clock faults, restart and evict strike here. Each is returned once.
    const PlannedFault* on_observation(ClientId client, std::uint32_t round, Phase phase) {
        return plan_.empty() ? nullptr : strike(client, round, phase, false);
    }
    /// The fault that strikes the command that `client` now sends, or null.
    const PlannedFault* on_send(ClientId client, std::uint32_t round, Phase phase) {
        return plan_.empty() ? nullptr : strike(client, round, phase, true);
    }
    /// The planned slow job of this round.
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round);
    /// How far `client`'s wall clock is off from the start; its process' clock, if a process has
    /// several `tasks`.
    Duration clock_offset(ClientId client, std::uint32_t tasks = 1) const;

    const std::vector<PlannedFault>& plan() const { return plan_; }

private:
    const PlannedFault* strike(ClientId client, std::uint32_t round, Phase phase, bool on_send);

    std::vector<PlannedFault> plan_;
};

}  // namespace locklab
