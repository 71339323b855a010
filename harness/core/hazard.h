// What can go wrong: the faults that a run injects, and the two that need no injection
// (contention, a slow job). Algorithms declare which of these they survive.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "harness/core/fault_columns.h"
#include "harness/core/fault_worlds.h"

namespace locklab {

enum class Hazard : std::uint8_t {
    contention,
    slow_job,
    crash,
    pause,
    stall,
    lose_request,
    lose_reply,
    delay_request,
    delay_reply,
    retry,
    clock_offset,
    clock_jump,
    server_clock_jump,
    restart,
    restart_snapshot,
    evict,
    failover,
    freeze,
    error_reply,
    reset,
    partition,
    flush,
    cancel,
};
/// Stands for "no fault".
inline constexpr Hazard kNoFault = Hazard::contention;

struct HazardRow {
    Hazard hazard;
    std::string_view name;
    std::string_view meaning;
    FaultTarget target;
    FaultMoment moment;
    FaultSize size;
    FaultAmounts amounts;  ///< the range from which plans draw
    FaultWorlds worlds;    ///< where it can be made; stated only here
    FaultLoss loss = FaultLoss::nothing;
    std::uint32_t most = 100;      ///< how many times it can strike in one run
    bool is_told_at_once = false;  ///< of a link: its client does not wait for its time-out
};

inline constexpr std::string_view kOneThread =
    "one thread of a process cannot be stopped by itself";
inline constexpr std::string_view kNoCallers =
    "our own locks have no callers who could cancel a try";

/// Every hazard, in report order. Everything else about a hazard stands in a switch without a
/// default, which does not compile until a new row has its case.
inline constexpr auto kHazards = std::to_array<HazardRow>({
    {Hazard::contention, "contention", "no fault at all: clients contend for the lock",
     FaultTarget::nobody, FaultMoment::never, FaultSize::none, kNoAmount, kEverywhere},
    {Hazard::slow_job, "slow_job", "a job takes longer than the lock's TTL", FaultTarget::client,
     FaultMoment::with_job, FaultSize::job, percent(120, 300), kEverywhere},
    {Hazard::crash, "crash", "a client stops for good and its connections close",
     FaultTarget::client, FaultMoment::at_observation, FaultSize::none, kNoAmount, kEverywhere},
    {Hazard::pause, "pause", "worker and watchdog stop, then continue (GC, SIGSTOP, VM migration)",
     FaultTarget::client, FaultMoment::at_observation, FaultSize::pause, percent(20, 300),
     kEverywhere},
    {Hazard::stall, "stall", "only the background task stops (a starved watchdog thread)",
     FaultTarget::client, FaultMoment::at_observation, FaultSize::pause, percent(100, 400),
     kEverywhere.without(FaultWorld::drivers, kOneThread).without(FaultWorld::plays, kOneThread)},
    {Hazard::lose_request, "lose_request",
     "a request to Redis is lost; the client learns nothing until its timeout", FaultTarget::link,
     FaultMoment::at_send, FaultSize::none, kNoAmount, kEverywhere},
    {Hazard::lose_reply, "lose_reply",
     "the command runs, its reply is lost; the client learns nothing until its timeout",
     FaultTarget::link, FaultMoment::at_send, FaultSize::none, kNoAmount, kEverywhere},
    {Hazard::delay_request, "delay_request",
     "a command arrives late, perhaps after the client gave up on it", FaultTarget::link,
     FaultMoment::at_send, FaultSize::delay, percent(5, 300), kEverywhere},
    {Hazard::delay_reply, "delay_reply",
     "the command runs at once, its reply comes late, though before the client's timeout",
     FaultTarget::link, FaultMoment::at_send, FaultSize::reply_delay, percent(5, 300), kEverywhere},
    {Hazard::retry, "retry", "a reply is lost and the client library sends the same command again",
     FaultTarget::link, FaultMoment::at_send, FaultSize::none, kNoAmount, kEverywhere},
    {Hazard::clock_offset, "clock_offset", "a client's wall clock is ahead or behind",
     FaultTarget::client, FaultMoment::at_start, FaultSize::clock, both_ways(20, 200),
     kEverywhere.without(FaultWorld::plays, "these searches start with correct clocks")},
    {Hazard::clock_jump, "clock_jump", "a client's wall clock jumps, ahead or back",
     FaultTarget::client, FaultMoment::at_observation, FaultSize::clock, both_ways(20, 300),
     kEverywhere},
    {Hazard::server_clock_jump, "server_clock_jump",
     "the Redis server's wall clock jumps, ahead or back", FaultTarget::node,
     FaultMoment::at_observation, FaultSize::clock, both_ways(20, 300), kEverywhere},
    {Hazard::restart, "restart", "Redis restarts and comes back empty", FaultTarget::node,
     FaultMoment::at_observation, FaultSize::outage, percent(0, 10), kEverywhere,
     FaultLoss::connections},
    {Hazard::restart_snapshot, "restart_snapshot",
     "Redis restarts with a snapshot that is some time old", FaultTarget::node,
     FaultMoment::at_observation, FaultSize::age, percent(1, 100),
     kEverywhere.without(FaultWorld::plays, "these searches keep no snapshots"),
     FaultLoss::connections},
    {Hazard::evict, "evict", "Redis evicts a key for want of memory: the lock's, or another one",
     FaultTarget::node, FaultMoment::at_observation, FaultSize::none, kNoAmount, kEverywhere,
     FaultLoss::key},
    {Hazard::failover, "failover",
     "the master loses its replica, which takes over; clients learn of it later, each by itself",
     FaultTarget::node, FaultMoment::at_observation, FaultSize::takeover, percent(0, 100),
     kEverywhere.without(FaultWorld::plays, "these searches have no replicas"),
     FaultLoss::mastership, 1},  // there is one replica
    {Hazard::freeze, "freeze",
     "Redis hangs, then goes on with its data (SIGSTOP, a slow disk, a swapped VM)",
     FaultTarget::node, FaultMoment::at_observation, FaultSize::hang, percent(120, 300),
     kEverywhere},
    {Hazard::error_reply, "error_reply",
     "a command is answered with an error (LOADING, READONLY, ...) in place of being run",
     FaultTarget::link, FaultMoment::at_send, FaultSize::none, kNoAmount, kEverywhere,
     FaultLoss::nothing, 100, true},
    {Hazard::reset, "reset",
     "a connection is reset while a command is under way: it may have run, and the client learns "
     "nothing but that, at once",
     FaultTarget::link, FaultMoment::at_send, FaultSize::none, kNoAmount, kEverywhere,
     FaultLoss::nothing, 100, true},
    {Hazard::partition, "partition",
     "nothing that one client sends to one server gets there for a while, from one command on; "
     "that "
     "one may have run",
     FaultTarget::link, FaultMoment::at_send, FaultSize::cut, percent(20, 300), kEverywhere},
    {Hazard::flush, "flush", "all keys of a Redis are deleted at once (FLUSHALL), and it goes on",
     FaultTarget::node, FaultMoment::at_observation, FaultSize::none, kNoAmount, kEverywhere,
     FaultLoss::keys},
    {Hazard::cancel, "cancel",
     "the caller of a try cancels it while it is under way (a task, a context, a future)",
     FaultTarget::call, FaultMoment::at_observation, FaultSize::none, kNoAmount,
     kEverywhere.without(FaultWorld::simulator, kNoCallers)
         .without(FaultWorld::search, kNoCallers)
         .without(FaultWorld::live, kNoCallers)},
});

/// The most hazards: sets with a bit for each have room for them.
inline constexpr std::size_t kMostHazards = 31;
static_assert(kHazards.size() <= kMostHazards);

constexpr const HazardRow& row_of(Hazard hazard) {
    return kHazards[static_cast<std::size_t>(hazard)];
}
static_assert(
    [] {
        for (const HazardRow& row : kHazards) {
            if (&row_of(row.hazard) != &row) return false;
        }
        return true;
    }(),
    "rows stand in the order of the enumeration");
/// Those of the simulator, which come first.
inline constexpr std::span<const HazardRow> kSimulatedHazards = [] {
    const auto is_simulated = [](const HazardRow& row) {
        return row.worlds.why_not[static_cast<std::size_t>(FaultWorld::simulator)].empty();
    };
    return std::span(kHazards.begin(), std::ranges::find_if_not(kHazards, is_simulated));
}();
static_assert(std::ranges::none_of(kHazards.begin() + kSimulatedHazards.size(), kHazards.end(),
                                   [](const HazardRow& row) {
                                       return row.worlds.why_not[0].empty();
                                   }));
constexpr std::string_view name_of(Hazard hazard) { return row_of(hazard).name; }
/// Why the fault cannot be made in this world, as half a sentence. Empty: it can.
constexpr std::string_view why_not_in(FaultWorld world, Hazard hazard) {
    return row_of(hazard).worlds.why_not[static_cast<std::size_t>(world)];
}
constexpr bool is_made_in(FaultWorld world, Hazard hazard) {
    return why_not_in(world, hazard).empty();
}
/// Whether it strikes a command on its way, and not its client or the server.
constexpr bool strikes_messages(Hazard hazard) {
    return row_of(hazard).target == FaultTarget::link;
}
/// Whether it ends a call that a client has made.
constexpr bool strikes_calls(Hazard hazard) { return row_of(hazard).target == FaultTarget::call; }
/// Whether it concerns a client's clock, and not a server's.
constexpr bool is_of_clients_clock(Hazard hazard) {
    const HazardRow& row = row_of(hazard);
    return row.target == FaultTarget::client && row.size == FaultSize::clock;
}
/// Whether a client learns at once that its command went wrong on its way.
constexpr bool is_told_at_once(Hazard hazard) { return row_of(hazard).is_told_at_once; }
/// Whether it strikes all commands of a link for a while. Histories tell each of them as one that
/// is lost.
constexpr bool cuts_link(Hazard hazard) { return row_of(hazard).size == FaultSize::cut; }
/// Whether its client waits for a reply that never comes, until its time-out.
constexpr bool deafens(Hazard hazard) {
    const HazardRow& row = row_of(hazard);
    return row.target == FaultTarget::link && row.size == FaultSize::none && !row.is_told_at_once;
}
constexpr std::uint32_t most_of(Hazard hazard) { return row_of(hazard).most; }
/// Whether a server restarts and its connections break.
constexpr bool restarts_server(Hazard hazard) {
    return row_of(hazard).loss == FaultLoss::connections;
}
/// Whether a server stops answering for a while, then continues with its data.
constexpr bool hangs(Hazard hazard) { return row_of(hazard).size == FaultSize::hang; }
/// Whether a server leaves commands unanswered.
constexpr bool silences_server(Hazard hazard) { return restarts_server(hazard) || hangs(hazard); }
/// Kinds of server faults, for switches without a default.
enum class ServerFault : std::uint8_t {
    restart,
    restart_with_old_data,
    evict,
    flush,
    jump_clock,
    fail_over,
    hang,
};
/// Follows from the hazard's row. Nothing: it strikes no server.
constexpr std::optional<ServerFault> server_fault(Hazard hazard) {
    const HazardRow& row = row_of(hazard);
    if (row.target != FaultTarget::node) return std::nullopt;
    switch (row.loss) {
        case FaultLoss::key: return ServerFault::evict;
        case FaultLoss::keys: return ServerFault::flush;
        case FaultLoss::mastership: return ServerFault::fail_over;
        case FaultLoss::connections:
            return row.size == FaultSize::age ? ServerFault::restart_with_old_data
                                              : ServerFault::restart;
        case FaultLoss::nothing: break;
    }
    return hangs(hazard) ? ServerFault::hang : ServerFault::jump_clock;
}
/// Whether it only deletes keys. On a real server that many runs share these are the run's own.
constexpr bool deletes_keys(Hazard hazard) {
    const FaultLoss loss = row_of(hazard).loss;
    return loss == FaultLoss::key || loss == FaultLoss::keys;
}
/// Whether it strikes a whole server, and not only keys. Then a real server must be locklab's own.
constexpr bool strikes_whole_server(Hazard hazard) {
    return row_of(hazard).target == FaultTarget::node && !deletes_keys(hazard);
}
/// Whether a replica takes over, which requires one.
constexpr bool takes_over(Hazard hazard) { return row_of(hazard).loss == FaultLoss::mastership; }
/// Whether it strikes at a moment of a client's life, and not from the start or with a job.
constexpr bool strikes_at_a_moment(Hazard hazard) {
    const FaultMoment moment = row_of(hazard).moment;
    return moment == FaultMoment::at_observation || moment == FaultMoment::at_send;
}
constexpr std::optional<Hazard> hazard_named(std::string_view name) {
    for (const HazardRow& row : kHazards) {
        if (row.name == name) return row.hazard;
    }
    return std::nullopt;
}

class HazardSet {
public:
    constexpr HazardSet() = default;
    constexpr HazardSet(std::initializer_list<Hazard> hazards) {
        for (const Hazard hazard : hazards) add(hazard);
    }
    constexpr void add(Hazard hazard) { bits_ |= bit(hazard); }
    constexpr bool contains(Hazard hazard) const { return (bits_ & bit(hazard)) != 0; }
    constexpr bool empty() const { return bits_ == 0; }

private:
    static constexpr std::uint64_t bit(Hazard hazard) {
        return std::uint64_t{1} << static_cast<unsigned>(hazard);
    }
    std::uint64_t bits_ = 0;
    static_assert(kMostHazards <= 64);
};

/// The hazards whose rows fit.
template <class Fits>
constexpr HazardSet hazards_where(Fits fits) {
    HazardSet set;
    for (const HazardRow& row : kHazards) {
        if (fits(row)) set.add(row.hazard);
    }
    return set;
}
/// Faults after which a server may lack data that it had.
inline constexpr HazardSet kLosesData = hazards_where([](const HazardRow& row) {
    return deletes_keys(row.hazard) || row.loss == FaultLoss::connections;
});
/// Faults that make a client's time of day wrong.
inline constexpr HazardSet kWallClocks = hazards_where([](const HazardRow& row) {
    return row.size == FaultSize::clock && row.target == FaultTarget::client;
});
/// Faults that make a server's time of day wrong.
inline constexpr HazardSet kServerClocks = hazards_where([](const HazardRow& row) {
    return row.size == FaultSize::clock && row.target == FaultTarget::node;
});

}  // namespace locklab
