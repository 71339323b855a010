// What an engine (simulator, live loop, search) provides to the clients that it drives.
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
    /// Identifies this wait; an observation for another ticket is too late and is dropped.
    std::uint32_t ticket = 0;
    NodeId node;
    bool to_all = false;  ///< the command goes to every server at once, and not to `node`
    Command command;
    Duration sleep{0};
};

/// Implemented by the rules (Cluster) and for real time (RealHost); a Tape can stand in between.
class Host {
public:
    virtual ~Host() = default;

    /// `task` of `client` now waits for `action`. The host may move its contents away, or swap them
    /// for others whose memory the next action can reuse. The host answers later with
    /// Machine::observe, never from inside this call.
    virtual void act(ClientId client, TaskId task, Action& action) = 0;

    /// How many Redis servers there are.
    virtual std::uint32_t servers() const = 0;

    /// `client`'s own wall clock, and its own monotonic clock.
    virtual WallTime now(ClientId client) = 0;
    virtual MonotonicTime monotonic(ClientId client) = 0;

    /// A value that no other call returned in this run.
    virtual Token fresh_token(ClientId client) = 0;

    /// Something for the history happened at `client`, about this one of its locks.
    virtual void note(ClientId client, Phase phase, EventDetail detail, ResourceId resource) = 0;

    /// A task of `client` has ended by an exception in its lock; `words` say so as half a sentence,
    /// ready to be shown. Such a run shows nothing of the lock.
    virtual void threw(ClientId client, TaskId task, const std::string& words) = 0;

    /// The ordinal of the grant that `client` has just been given: 1, 2, ... over the run.
    virtual std::uint64_t next_grant(ClientId client) = 0;

    /// Whether `client` has had enough: it does not want the lock again.
    virtual bool enough(ClientId client) = 0;

    /// The source of job, think and waiting times.
    virtual Choices& choices() = 0;

    /// The length of the slow job planned for this round of `client`, if there is one.
    virtual std::optional<Duration> slow_job(ClientId client, std::uint32_t round) = 0;
};

}  // namespace locklab
