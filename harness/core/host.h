// What an engine (simulator, live loop, search) gives to the clients that it drives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/core/choices.h"
#include "harness/core/command.h"
#include "harness/core/history.h"
#include "harness/core/names.h"
#include "harness/core/time.h"

namespace locklab {

/// What a task waits for: an answer to a command, or a timer.
struct Action {
    enum class Kind : std::uint8_t { none, command, sleep };
    Kind kind = Kind::none;
    /// Names this one wait; an observation for another ticket comes too late and is dropped.
    std::uint32_t ticket = 0;
    NodeId node;
    bool to_all = false;  ///< of a command: it goes to every server at once, and not to `node`
    Command command;
    Duration sleep{0};
};

/// Implemented twice: by the rules (Cluster), and for real time (RealHost).
class Host {
public:
    virtual ~Host() = default;

    /// `task` of `client` now waits for `action`, whose contents may be moved away, or swapped
    /// for others whose memory the next action can use. The host answers later, never from
    /// inside this call, with Machine::observe.
    virtual void act(ClientId client, TaskId task, Action& action) = 0;

    /// How many Redis servers there are.
    virtual std::uint32_t servers() const = 0;

    /// `client`'s own wall clock, and its own monotonic clock.
    virtual WallTime now(ClientId client) = 0;
    virtual MonotonicTime monotonic(ClientId client) = 0;

    /// A value that no other call returned in this run.
    virtual Token fresh_token(ClientId client) = 0;

    /// Something happened at `client`, about this one of its locks, that the history keeps.
    virtual void note(ClientId client, Phase phase, EventDetail detail, ResourceId resource) = 0;

    /// A task of `client` has ended by an exception in its lock; `words` say that as half a
    /// sentence, ready to be shown. A run in which this happens shows nothing of the lock.
    virtual void threw(ClientId client, TaskId task, const std::string& words) = 0;

    /// The ordinal of the grant that `client` has just been given: 1, 2, ... over the run.
    virtual std::uint64_t next_grant(ClientId client) = 0;

    /// Whether `client` is to want the lock no more.
    virtual bool enough(ClientId client) = 0;

    /// Where job, think and waiting times are drawn.
    virtual Choices& choices() = 0;

    /// The length of the slow job that is planned for this round of `client`, if one is.
    virtual std::optional<Duration> slow_job(ClientId client, std::uint32_t round) = 0;
};

}  // namespace locklab
