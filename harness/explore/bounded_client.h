// How far a client of a search has come, told from what it notes: when it has done all that the
// bounds let it do, how its timers fire, and which of its waits are no steps.
#pragma once

#include "harness/core/history.h"
#include "harness/core/host.h"
#include "harness/core/worker.h"
#include "harness/explore/bounds.h"

namespace locklab {

/// When a timer fires.
enum class Timing : std::uint8_t {
    exact,  ///< when it is due: the lock's own, and time limits
    early,  ///< by then: a job lasts so long at most
    lazy,   ///< at any time, or never: between two tries, and before a client wants the lock
    never,  ///< its tries are used up, or its rounds done, and it rests
};

/// What every client of a search does.
Workload workload_of(const Bounds& bounds);

class BoundedClient {
public:
    /// `bounds` must outlive it.
    explicit BoundedClient(const Bounds& bounds) : bounds_(&bounds) {}

    /// One of its tasks begins a step.
    void begin_step(TaskId task);
    /// It is seen to note something.
    void note(const EventDetail& detail);

    bool enough() const;
    /// From now on it may begin another round, has as many tries as it likes, and makes each in
    /// time.
    void try_on() { tries_on_ = true; }
    bool tries_on() const { return tries_on_; }
    /// It has used up its tries or its rounds, and rests: it makes no step.
    bool waits_on() const;
    /// It sleeps before its next try.
    bool is_between_tries() const { return between_tries_ && !inside_; }
    /// How a sleep ends that begins now, `phase` being where its task is.
    Timing timing_of(TaskId task, Phase phase) const;
    /// The job's register is not the lock's business.
    static bool passes_over(const Command& command, NodeId node);
    /// Nor is the time in which a client only waits to be done.
    bool passes_over_sleep(Phase phase) const;

    /// Ground truth: from its grant until it leaves, or is told of its loss.
    bool inside() const { return inside_; }
    /// Its last step was to leave.
    bool leaves() const { return leaves_; }
    /// Its last step was to be refused, with certainty.
    bool refused() const { return refused_; }
    /// The fencing token of the grant that its last step was; 0: none, or the lock is shared.
    std::uint64_t fence() const { return fence_; }
    /// Also those that were taken again.
    std::uint32_t grants() const { return grants_; }

private:
    const Bounds* bounds_;
    bool between_tries_ = false;
    bool inside_ = false;
    bool leaves_ = false;
    bool refused_ = false;
    bool in_vain_ = false;  ///< the last of its tries in this round came to nothing
    bool is_over_ = false;  ///< with its last release its rounds are done
    bool holds_ = false;    ///< it tries to take again what it has, or had
    bool tries_on_ = false;
    std::uint64_t fence_ = 0;
    std::uint32_t grants_ = 0;
    std::uint32_t rounds_ = 0;
    std::uint32_t tries_ = 0;
};

}  // namespace locklab
