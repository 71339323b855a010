// Interface for choosing the next move in a play of driver processes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/core/error_kind.h"
#include "harness/core/hazard.h"
#include "harness/core/names.h"
#include "harness/core/time.h"

namespace locklab {

enum class PlayMove : std::uint8_t {
    let_go,  ///< a command goes on to its server, or an answer to its client
    ask,     ///< a client gets the next request of its round, when it is due or before
    leave,   ///< a client is asked to release, before its job is done
    extend,  ///< a client is asked to extend its grant, when that is due
    pass,    ///< time passes until something is due
    fault,
};

/// Actor numbers, for priorities: of the passing of time, and of faults (plus client or node).
inline constexpr std::uint32_t kPassActor = 1000;
inline constexpr std::uint32_t kFaultActor = 2000;
/// And of extensions by hand, plus client.
inline constexpr std::uint32_t kExtendActor = 3000;
/// Actors per node; larger than the number of one server's links, clients and fault targets.
inline constexpr std::uint32_t kActorsOfANode = 100;

/// A possible next move.
struct PlayOption {
    PlayMove move = PlayMove::pass;
    /// The actor of the move, for priorities; it has the same number in all plays: one way of a
    /// client's link, or a client.
    std::uint32_t actor = 0;
    std::uint32_t client = 0;
    std::size_t held = 0;  ///< place at the gate, for let_go and message faults
    Hazard hazard = kNoFault;
    Duration amount{0};
    bool early = false;                ///< the move is not due yet
    NodeId node{};                     ///< the server that the fault strikes, if it strikes one
    std::string key{};                 ///< that goes in an eviction, as keys_to_evict() tells it
    std::optional<ErrorKind> error{};  ///< of an error reply: which

    bool strikes_message() const {
        return move == PlayMove::fault && row_of(hazard).target == FaultTarget::link;
    }
};

class PlayDrive {
public:
    virtual ~PlayDrive() = default;
    /// Chooses one of two or more. The first is the default: the oldest message. Early moves come
    /// after those that are due, and faults last.
    virtual std::size_t choose(std::span<const PlayOption> options) = 0;
};

/// What was chosen, and from how many.
struct PlayChoice {
    std::uint32_t pick = 0;
    std::uint32_t of = 0;
    bool operator==(const PlayChoice&) const = default;
};
using PlayChoices = std::vector<PlayChoice>;

}  // namespace locklab
