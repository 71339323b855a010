// What a search or a run exercised: a proof is worth no more than that.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <set>
#include <string>

#include "harness/core/hazard.h"
#include "harness/core/history.h"

namespace locklab {

inline constexpr std::array kEveryPhase{Phase::idle, Phase::acquire, Phase::inside, Phase::release,
                                        Phase::background};

/// What a command is, whatever its keys, its values and the unit of its times: "SET NX PX", or the
/// name of a script.
std::string shape_of(const Command& command);

struct SentCommand {
    std::string shape;
    Phase phase = Phase::idle;

    auto operator<=>(const SentCommand&) const = default;
};

struct Coverage {
    std::set<SentCommand> sent;
    /// Of each hazard, the phases of clients in which it struck: bit 1 << phase.
    std::array<std::uint8_t, kHazards.size()> struck{};
    bool sets_ttl = false;        ///< the lock's key had a time to live
    bool ran_out = false;         ///< which came to its end
    bool ran_out_inside = false;  ///< while somebody was inside

    void strike(Hazard hazard, Phase phase) {
        struck[static_cast<std::size_t>(hazard)] |=
            static_cast<std::uint8_t>(1U << static_cast<unsigned>(phase));
    }
    /// Clocks are off from the start.
    void strike_clocks() { strike(Hazard::clock_offset, Phase::idle); }
    bool has_struck(Hazard hazard) const { return struck[static_cast<std::size_t>(hazard)] != 0; }
    bool has_struck(Hazard hazard, Phase phase) const {
        return (struck[static_cast<std::size_t>(hazard)] >> static_cast<unsigned>(phase) & 1U) != 0;
    }
    void add(const Coverage& other);
    bool operator==(const Coverage&) const = default;
};

}  // namespace locklab
