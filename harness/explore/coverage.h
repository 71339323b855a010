// What a search or a run exercised: a proof is worth no more than that.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/core/hazard.h"
#include "harness/core/history.h"

namespace locklab {

inline constexpr std::array kEveryPhase{Phase::idle, Phase::acquire, Phase::inside, Phase::release,
                                        Phase::background};

/// A command without its keys, its values and the unit of its times: "SET NX PX", or the name of a
/// script.
std::string shape_of(const Command& command);

struct SentCommand {
    std::string shape;
    Phase phase = Phase::idle;

    auto operator<=>(const SentCommand&) const = default;
};

/// How a command of that shape was answered: with an error of this code, or (empty) without one.
struct AnsweredCommand {
    std::string shape;
    std::string error;

    auto operator<=>(const AnsweredCommand&) const = default;
};

AnsweredCommand answered(const Command& command, const Reply& reply);

struct Coverage {
    std::set<SentCommand> sent;
    std::set<AnsweredCommand> answered;
    /// For each hazard, the client phases in which it struck, as bits 1 << phase.
    std::array<std::uint8_t, kHazards.size()> struck{};
    bool sets_ttl = false;        ///< the lock's key had a time to live
    bool ran_out = false;         ///< that time to live expired
    bool ran_out_inside = false;  ///< while a client was inside
    bool sets_other_ttl = false;  ///< another key had one, and time passed
    bool other_ran_out = false;
    /// For a lock that can be shared: per mode in which it was refused, the modes in which it was
    /// held then, as bits 1 << mode.
    std::array<std::uint8_t, kModes.size()> refused{};

    /// A key that an eviction could have struck, and that is not in keys_of(); of several the
    /// first by the alphabet; empty: there was none.
    std::string unlisted_key;

    void add_unlisted(const std::string& key) {
        const bool is_first = unlisted_key.empty() || key < unlisted_key;
        if (!key.empty() && is_first) unlisted_key = key;
    }
    void strike(Hazard hazard, Phase phase) {
        struck[static_cast<std::size_t>(hazard)] |=
            static_cast<std::uint8_t>(1U << static_cast<unsigned>(phase));
    }
    /// Clocks are wrong from the start, so the phase is idle.
    void strike_clocks() { strike(Hazard::clock_offset, Phase::idle); }
    bool has_struck(Hazard hazard) const { return struck[static_cast<std::size_t>(hazard)] != 0; }
    bool has_struck(Hazard hazard, Phase phase) const {
        return (struck[static_cast<std::size_t>(hazard)] >> static_cast<unsigned>(phase) & 1U) != 0;
    }
    /// A shared lock refuses a client that wants to share it if all its permits are taken.
    void refuse(Mode wanted, const Crowd& inside, Permits permits) {
        const bool is_full = permits != kAnyNumber && inside.shared >= permits;
        const bool by_shared = wanted == Mode::alone ? inside.shared > 0 : is_full;
        if (inside.alone > 0) refused[static_cast<std::size_t>(wanted)] |= 1U;
        if (by_shared) refused[static_cast<std::size_t>(wanted)] |= 2U;
    }
    bool has_refused(Mode wanted, Mode had) const {
        return (refused[static_cast<std::size_t>(wanted)] >> static_cast<unsigned>(had) & 1U) != 0;
    }
    /// The errors with which commands of that shape were answered, if all their answers were
    /// errors: such a command did nothing.
    std::vector<std::string> only_errors(const std::string& shape) const;
    void add(const Coverage& other);
    bool operator==(const Coverage&) const = default;
};

}  // namespace locklab
