// The moves of a cluster, and the interface that decides when each is made.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/core/choices.h"
#include "harness/core/history.h"
#include "harness/core/names.h"
#include "harness/core/time.h"

namespace locklab {

enum class MoveKind : std::uint8_t {
    fire,     ///< a task's sleep is over
    arrive,   ///< a message reaches its node, which executes it
    deliver,  ///< a message's reply reaches its client
    expire,   ///< the client gives up on the reply, or its library sends the message again
    learn,    ///< a client learns which server is master now
};

/// What can happen next.
struct Move {
    MoveKind kind = MoveKind::fire;
    ClientId client;
    TaskId task;
    std::uint32_t ticket = 0;   ///< of the wait that the move ends, or to which its message belongs
    std::uint32_t message = 0;  ///< unused by fire and learn

    bool operator==(const Move&) const = default;
};

/// When a move can be made. Time never passes `latest` before the move is made.
struct Window {
    Instant earliest;
    Instant latest = Instant::max();
};

class Agenda {
public:
    /// A task waits for the answer to a command, whose message is ready. The agenda lets it depart
    /// (Cluster::depart), now or later.
    virtual void is_ready(std::uint32_t message) = 0;
    /// From now on the move is possible, until its task stops waiting for that ticket; an arrival
    /// stays possible.
    virtual void armed(const Move& move, const Window& window) = 0;

    /// An event for the history has happened.
    virtual void noted(const Event& event) { static_cast<void>(event); }

    /// The token that `client` draws now, if the agenda knows it; else the cluster makes one.
    virtual std::optional<Token> token_of(ClientId) { return std::nullopt; }
    /// The source of job, think and waiting times.
    virtual Choices& choices() = 0;
    /// Whether `client` has had enough: it does not want the lock again.
    virtual bool enough(ClientId client) = 0;
    /// The length of the slow job planned for this round of `client`, if there is one.
    virtual std::optional<Duration> slow_job(ClientId client, std::uint32_t round) = 0;

protected:
    ~Agenda() = default;
};

}  // namespace locklab
