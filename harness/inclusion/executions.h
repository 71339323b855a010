// What each server was asked in a history, and what befell it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

/// Something that a server did, or may have done, at some instant between two.
struct Execution {
    const Command* command = nullptr;     ///< null: a fault struck it
    const Reply* reply = nullptr;         ///< null: nobody was told
    const event::Fault* fault = nullptr;  ///< null: it ran a command
    Instant since;                        ///< it was sent
    Instant until;                        ///< its reply was there; the end of time: none was
    std::size_t event = 0;                ///< where the history tells of it
};

/// The server lost its data and every connection: what was sent before ran before, or never.
struct Loss {
    Instant at;
    std::size_t event = 0;
};

struct ServerLog {
    std::vector<Execution> must;  ///< it did these; in the order in which that was known
    std::vector<Execution> may;   ///< and perhaps these, which were sent in this order
    std::vector<Loss> losses;
    /// It is a replica, and took over with what its master had by then; else nothing.
    std::optional<Instant> took_over;
};

struct Executions {
    std::map<NodeId, ServerLog> servers;
    /// Why this history cannot be followed, as half a sentence; empty if it can.
    std::string not_followed;
};

/// They point into the history. What befell a server may have done so up to `noted_late` before.
Executions executions_of(const History& history, Duration noted_late);

}  // namespace locklab
