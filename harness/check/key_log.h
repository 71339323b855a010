// What happened to the lock's key, command by command, and which of these commands a grant
// rests on. A command belongs to the round in which it was sent, not to the one in which it ran:
// a release that arrives a round late is a stranger's, though the same client sent it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/check/inside.h"
#include "harness/core/hazard.h"
#include "harness/core/history.h"

namespace locklab {

/// A command that ran and left the key other than it was.
struct KeyChange {
    std::size_t event = 0;  ///< the Executed, by its place in the log
    ClientId client;
    std::uint32_t round = 0;    ///< numbers the rounds of all clients
    Phase phase = Phase::idle;  ///< of the sender, as it sent
    bool takes = false;         ///< some grant rests on it
};

/// What a grant rests on.
struct Claim {
    std::size_t granted = 0;  ///< the Granted, by its place in the log
    std::uint32_t round = 0;
    std::optional<std::size_t> taking;  ///< its command, by its place in the key's log
};

class KeyLog {
public:
    /// `history` must outlive the log.
    explicit KeyLog(const History& history);

    std::span<const KeyChange> changes() const { return changes_; }
    const Claim& claim_of(const Inside& stay) const;
    const event::Executed& executed(const KeyChange& change) const;
    const Event& event_of(const KeyChange& change) const { return history_.events[change.event]; }
    const Token& token_of(const Claim& claim) const;
    Duration lease_of(const Claim& claim) const;
    /// The earliest instant at which the change can have run: live knows only that it lies
    /// between sending and reply, the simulator knows it exactly.
    Instant earliest(const KeyChange& change) const;
    bool is_exact() const { return history_.world == "sim"; }
    /// Whether a grant for which no command is told had none: our worlds tell every command.
    bool tells_commands() const { return tells_commands_; }
    /// The first fault out of `hazards` between two places in the log, or null.
    const Event* fault(HazardSet hazards, std::size_t after, std::size_t before) const;
    /// Whether a fault out of `hazards` struck this client before a place in the log.
    bool struck(HazardSet hazards, ClientId client, std::size_t before) const;

private:
    const History& history_;
    std::vector<KeyChange> changes_;
    std::vector<Claim> claims_;
    std::vector<std::size_t> faults_;
    bool tells_commands_ = false;
};

}  // namespace locklab
