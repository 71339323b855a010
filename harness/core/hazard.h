// What can go wrong: the faults that a run injects, and the two that need no injection
// (contention, a slow job). Algorithms declare which of these they survive.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

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
};

struct HazardRow {
    Hazard hazard;
    std::string_view name;
    std::string_view meaning;
    bool live;  ///< whether the live world can make it
};

/// Every hazard, in report order.
inline constexpr std::array<HazardRow, 16> kHazards{{
    {Hazard::contention, "contention", "no fault at all: clients contend for the lock", true},
    {Hazard::slow_job, "slow_job", "a job takes longer than the lock's TTL", true},
    {Hazard::crash, "crash", "a client stops for good and its connections close", true},
    {Hazard::pause, "pause", "worker and watchdog stop, then continue (GC, SIGSTOP, VM migration)",
     true},
    {Hazard::stall, "stall", "only the background task stops (a starved watchdog thread)", true},
    {Hazard::lose_request, "lose_request",
     "a request to Redis is lost; the client learns nothing until its timeout", true},
    {Hazard::lose_reply, "lose_reply",
     "the command runs, its reply is lost; the client learns nothing until its timeout", true},
    {Hazard::delay_request, "delay_request",
     "a command arrives late, perhaps after the client gave up on it", true},
    {Hazard::delay_reply, "delay_reply",
     "the command runs at once, its reply comes late, though before the client's timeout", true},
    {Hazard::retry, "retry", "a reply is lost and the client library sends the same command again",
     true},
    {Hazard::clock_offset, "clock_offset", "a client's wall clock is ahead or behind", true},
    {Hazard::clock_jump, "clock_jump", "a client's wall clock jumps, ahead or back", true},
    {Hazard::server_clock_jump, "server_clock_jump",
     "the Redis server's wall clock jumps, ahead or back", false},
    {Hazard::restart, "restart", "Redis restarts and comes back empty", true},
    {Hazard::restart_snapshot, "restart_snapshot",
     "Redis restarts with a snapshot that is some time old", false},
    {Hazard::evict, "evict", "Redis evicts the lock's key for want of memory", false},
}};

constexpr const HazardRow& row_of(Hazard hazard) {
    return kHazards[static_cast<std::size_t>(hazard)];
}
constexpr std::string_view name_of(Hazard hazard) { return row_of(hazard).name; }
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
        for (const Hazard hazard : hazards) bits_ |= bit(hazard);
    }
    constexpr bool contains(Hazard hazard) const { return (bits_ & bit(hazard)) != 0; }
    constexpr bool empty() const { return bits_ == 0; }

private:
    static constexpr std::uint32_t bit(Hazard hazard) {
        return 1U << static_cast<std::uint32_t>(hazard);
    }
    std::uint32_t bits_ = 0;
};

}  // namespace locklab
