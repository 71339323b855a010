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

/// What a command is, whatever its keys, its values and the unit of its times: "SET NX PX", or the
/// name of a script.
std::string shape_of(const Command& command);

struct SentCommand {
    std::string shape;
    Phase phase = Phase::idle;

    auto operator<=>(const SentCommand&) const = default;
};

/// What a command of that shape was answered: nothing, or an error with this code.
struct AnsweredCommand {
    std::string shape;
    std::string error;

    auto operator<=>(const AnsweredCommand&) const = default;
};

AnsweredCommand answered(const Command& command, const Reply& reply);

struct Coverage {
    std::set<SentCommand> sent;
    std::set<AnsweredCommand> answered;
    /// Of each hazard, the phases of clients in which it struck: bit 1 << phase.
    std::array<std::uint8_t, kHazards.size()> struck{};
    bool sets_ttl = false;        ///< the lock's key had a time to live
    bool ran_out = false;         ///< which came to its end
    bool ran_out_inside = false;  ///< while somebody was inside
    bool sets_other_ttl = false;  ///< another key had one, and time passed
    bool other_ran_out = false;
    /// Of a lock that can be shared, for each mode in which it was refused, those in which it was
    /// had: bit 1 << mode.
    std::array<std::uint8_t, kModes.size()> refused{};

    /// A key that an eviction could have struck, and that is not in Bounds::keys; of several the
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
    /// Clocks are off from the start.
    void strike_clocks() { strike(Hazard::clock_offset, Phase::idle); }
    bool has_struck(Hazard hazard) const { return struck[static_cast<std::size_t>(hazard)] != 0; }
    bool has_struck(Hazard hazard, Phase phase) const {
        return (struck[static_cast<std::size_t>(hazard)] >> static_cast<unsigned>(phase) & 1U) != 0;
    }
    /// A shared lock is refused to one who wants to share it where as many share it as may.
    void refuse(Mode wanted, const Crowd& inside, Permits permits) {
        const bool is_full = permits != kAnyNumber && inside.shared >= permits;
        const bool by_shared = wanted == Mode::alone ? inside.shared > 0 : is_full;
        if (inside.alone > 0) refused[static_cast<std::size_t>(wanted)] |= 1U;
        if (by_shared) refused[static_cast<std::size_t>(wanted)] |= 2U;
    }
    bool has_refused(Mode wanted, Mode had) const {
        return (refused[static_cast<std::size_t>(wanted)] >> static_cast<unsigned>(had) & 1U) != 0;
    }
    /// The errors that were answered to commands of that shape, where nothing else was: such a
    /// command did nothing.
    std::vector<std::string> only_errors(const std::string& shape) const;
    void add(const Coverage& other);
    bool operator==(const Coverage&) const = default;
};

}  // namespace locklab
