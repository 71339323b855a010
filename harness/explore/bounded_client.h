// How far a client of a search has come, computed from the events that it notes: when the bounds
// let it do no more, how its timers fire, and which of its waits are no steps of the search.
#pragma once

#include "harness/core/history.h"
#include "harness/core/host.h"
#include "harness/core/worker.h"
#include "harness/explore/bounds.h"

namespace locklab {

/// When a timer fires.
enum class Timing : std::uint8_t {
    exact,  ///< when it is due: timers of the lock, and time limits
    early,  ///< at any time until it is due: a job may be shorter than its bound
    lazy,   ///< at any time, or never: between two tries, and before a client wants the lock
    never,  ///< the client rests: its tries are used up, or its rounds are done
};

/// The work that every client of a search does.
Workload workload_of(const Bounds& bounds);

class BoundedClient {
public:
    /// `bounds` must outlive the client.
    explicit BoundedClient(const Bounds& bounds) : bounds_(&bounds) {}

    /// One of its tasks begins a step.
    void begin_step(TaskId task);
    /// The client notes an event.
    void note(const EventDetail& detail);

    bool enough() const;
    /// From now on it may begin another round, the number of tries has no limit, and each try is
    /// made when it is due.
    void try_on() { tries_on_ = true; }
    bool tries_on() const { return tries_on_; }
    /// It rests, and makes no step: its tries or its rounds are used up.
    bool waits_on() const;
    /// It sleeps before its next try.
    bool is_between_tries() const { return between_tries_ && !inside_; }
    /// How a sleep that begins now ends, if the task is in `phase`.
    Timing timing_of(TaskId task, Phase phase) const;
    /// True for commands to the job's register, which the lock does not depend on.
    static bool passes_over(const Command& command, NodeId node);
    /// True for sleeps of a client that has done all its work and only waits to end.
    bool passes_over_sleep(Phase phase) const;

    /// What decides how far it may still go, while it is outside and makes no try.
    struct Progress {
        std::uint32_t rounds = 0;
        std::uint32_t tries = 0;
        std::uint32_t grants = 0;
        bool between_tries = false;
        bool in_vain = false;
        bool is_over = false;
        bool holds = false;

        bool operator==(const Progress&) const = default;
    };
    Progress progress() const {
        return {rounds_, tries_, grants_, between_tries_, in_vain_, is_over_, holds_};
    }

    /// Ground truth: from its grant until it leaves or is told of its loss.
    bool inside() const { return inside_; }
    /// Its last step was to leave.
    bool leaves() const { return leaves_; }
    /// Its last step was a definite refusal.
    bool refused() const { return refused_; }
    /// The fencing token, if the last step was a grant that has one; 0: none, or the lock is
    /// shared.
    std::uint64_t fence() const { return fence_; }
    /// Includes grants that take the lock a second time.
    std::uint32_t grants() const { return grants_; }

private:
    const Bounds* bounds_;
    bool between_tries_ = false;
    bool inside_ = false;
    bool leaves_ = false;
    bool refused_ = false;
    bool in_vain_ = false;  ///< the last try of this round did not get the lock
    bool is_over_ = false;  ///< the last release ended the last round
    bool holds_ = false;    ///< it tries to take again a lock that it has, or had
    bool tries_on_ = false;
    std::uint64_t fence_ = 0;
    std::uint32_t grants_ = 0;
    std::uint32_t rounds_ = 0;
    std::uint32_t tries_ = 0;
};

}  // namespace locklab
