// Who says what happens next in a play of driver processes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/core/hazard.h"
#include "harness/core/names.h"
#include "harness/core/time.h"

namespace locklab {

enum class PlayMove : std::uint8_t {
    let_go,  ///< a command reaches the server, or an answer its client
    ask,     ///< a client is asked for the next thing of its round, when it is due or before
    leave,   ///< a client is asked to release, before its job is done
    pass,    ///< time passes until something is due
    fault,
};

/// For priorities: that time passes, and that a fault strikes somebody.
inline constexpr std::uint32_t kPassActor = 1000;
inline constexpr std::uint32_t kFaultActor = 2000;
/// There are fewer with one server: ways of links, clients, and whom a fault strikes.
inline constexpr std::uint32_t kActorsOfANode = 100;

/// What can happen next.
struct PlayOption {
    PlayMove move = PlayMove::pass;
    /// Who would do it, the same number for the same one in all plays: a way of a client's link, or
    /// a client. For priorities.
    std::uint32_t actor = 0;
    std::uint32_t client = 0;
    std::size_t held = 0;  ///< of let_go, and of what strikes a message: its place at the gate
    Hazard hazard = kNoFault;
    Duration amount{0};
    bool early = false;  ///< it is not due yet
    NodeId node{};       ///< the server that a fault befalls, if it does

    bool strikes_message() const {
        return move == PlayMove::fault && row_of(hazard).target == FaultTarget::link;
    }
};

class PlayDrive {
public:
    virtual ~PlayDrive() = default;
    /// One of two or more. The first is the calm one: the oldest message. Those that are early
    /// come after those that are due, and faults last.
    virtual std::size_t choose(std::span<const PlayOption> options) = 0;
};

/// What was chosen, and of how many.
struct PlayChoice {
    std::uint32_t pick = 0;
    std::uint32_t of = 0;
    bool operator==(const PlayChoice&) const = default;
};
using PlayChoices = std::vector<PlayChoice>;

}  // namespace locklab
