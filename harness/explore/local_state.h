// What a client's coroutine has come to: what each of its tasks waits for, and what can be seen of
// it. And what it observes in one step.
#pragma once

#include <array>
#include <cstdint>

#include "harness/core/lock.h"
#include "harness/explore/actor.h"
#include "harness/explore/bounds.h"

namespace locklab {

/// What a task waits for in a local state.
struct LocalWait {
    enum class Kind : std::uint8_t { none, timer, redis, oracle };
    Kind kind = Kind::none;
    Phase phase = Phase::idle;
    Timing timing = Timing::exact;
    std::uint16_t ticket = 0;
    std::uint16_t sleep_ms = 0;  ///< of a timer
    std::uint16_t command = 0;   ///< of a command
    std::uint8_t servers = 0;    ///< of a command: the servers that it asks, one bit each
    bool first_of_try = false;   ///< of a command: the first of a try

    bool asks(std::uint32_t server) const { return (servers >> server & 1U) != 0; }
    /// Whether both are the same wait, and not two that look alike.
    bool is_same(const LocalWait& other) const {
        return kind != Kind::none && kind == other.kind && ticket == other.ticket;
    }
    bool operator==(const LocalWait&) const = default;
};

/// The worker and one background task.
inline constexpr std::uint32_t kTasks = 2;
/// A slot is a task's wait at one server. What ends the whole wait is reported at the first slot.
inline constexpr std::uint32_t kSlots = kTasks * Bounds::kMostServers;
constexpr std::uint32_t task_of(std::uint32_t slot) { return slot % kTasks; }
constexpr std::uint32_t server_of(std::uint32_t slot) { return slot / kTasks; }
constexpr std::uint32_t slot_of(std::uint32_t task, std::uint32_t server) {
    return task + kTasks * server;
}

struct LocalState {
    std::array<LocalWait, kTasks> waits;
    bool inside = false;   ///< ground truth: from its grant until it leaves or is told of its loss
    bool done = false;     ///< it waits for nothing any more
    bool granted = false;  ///< this step was a grant
    bool begins_job = false;    ///< this step begins a job, which could be a slow one
    bool leaves = false;        ///< this step was to leave, and nothing has been sent since
    bool refused = false;       ///< this step was a definite refusal
    bool begins_anew = false;   ///< the next step makes a new lock object
    bool names_others = false;  ///< another client's token was seen up to here
    std::uint64_t fence = 0;    ///< the fencing token, if this step was a grant that has one

    bool operator==(const LocalState&) const = default;
};

/// What a client observes in one step.
struct Observed {
    std::uint32_t task = 0;
    std::uint16_t reply = 0;    ///< number of the reply; 0 for a timer
    bool slow = false;          ///< whether a job that begins in this step is slow
    std::int32_t clock_ms = 0;  ///< reading of its wall clock, if it looks
    /// Reading of its monotonic clock, if it looks; where each try has a lock object of its own,
    /// the time since the try began.
    std::int32_t now_ms = 0;
};

}  // namespace locklab
