// What each server did in a history: the commands that it ran, and its faults.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/history.h"
#include "harness/store/redis/session.h"

namespace locklab {

/// An action of a server, certain or possible, at an unknown instant between two known ones.
struct Execution {
    const Command* command = nullptr;     ///< null: a fault struck the server
    const Reply* reply = nullptr;         ///< null: the reply is unknown
    const event::Fault* fault = nullptr;  ///< null: the server ran a command
    Instant since;                        ///< when the command was sent
    Instant until;                        ///< when the reply arrived; the end of time if none did
    std::size_t event = 0;                ///< its event, by its place in the history
    SessionId from = 0;                   ///< of a command: the connection over which it came
};

/// The server lost its data and all connections: commands sent before that ran before it, or never.
struct Loss {
    Instant at;
    std::size_t event = 0;
};

struct ServerLog {
    std::vector<Execution> must;  ///< certain actions, in the order of their events
    std::vector<Execution> may;   ///< possible actions, in the order of sending
    std::vector<Loss> losses;
    /// When it took over as a replica, with the data that its master had by then; empty: it did
    /// not.
    std::optional<Instant> took_over;
};

struct Executions {
    std::map<NodeId, ServerLog> servers;
    /// Why this history cannot be followed, as half a sentence; empty if it can.
    std::string not_followed;
};

/// The result points into the history. Server faults may have struck up to `noted_late` earlier.
Executions executions_of(const History& history, Duration noted_late);

}  // namespace locklab
