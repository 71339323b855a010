// The moves of a cluster, and who decides when each is made.
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
    learn,    ///< a client is told who is master now
};

/// What can happen next.
struct Move {
    MoveKind kind = MoveKind::fire;
    ClientId client;
    TaskId task;
    std::uint32_t ticket = 0;   ///< of the wait that it ends, or whose message it is
    std::uint32_t message = 0;  ///< unless it fires or learns

    bool operator==(const Move&) const = default;
};

/// When a move can be made. Time never passes `latest` before it is.
struct Window {
    Instant earliest;
    Instant latest = Instant::max();
};

class Agenda {
public:
    /// A task waits for the answer to a command, whose message is ready. It is for the agenda to
    /// let it depart (Cluster::depart), now or later.
    virtual void is_ready(std::uint32_t message) = 0;
    /// From now on the move is possible. It is no more once its task waits no longer for that
    /// ticket; an arrival stays possible.
    virtual void armed(const Move& move, const Window& window) = 0;

    /// Something that the history keeps has happened.
    virtual void noted(const Event& event) { static_cast<void>(event); }

    /// The token that `client` now draws, where it is known; else the cluster makes one.
    virtual std::optional<Token> token_of(ClientId) { return std::nullopt; }
    /// Where job, think and waiting times are drawn.
    virtual Choices& choices() = 0;
    /// Whether `client` is to want the lock no more.
    virtual bool enough(ClientId client) = 0;
    /// The length of the slow job that is planned for this round of `client`, if one is.
    virtual std::optional<Duration> slow_job(ClientId client, std::uint32_t round) = 0;

protected:
    ~Agenda() = default;
};

}  // namespace locklab
