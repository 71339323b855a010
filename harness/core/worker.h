// The job around the lock, the same in every world: want it, try until granted, read the
// register, work, write the register, leave, release, think, and again.
#pragma once

#include <memory>
#include <vector>

#include "harness/core/lock.h"
#include "harness/core/machine.h"

namespace locklab {

/// How long to wait after a try that was refused, or not answered.
struct WaitPolicy {
    enum class Kind : std::uint8_t {
        fixed,        ///< always `delay`
        jitter,       ///< uniform in [delay / 2, 3 delay / 2]
        exponential,  ///< uniform in [delay / 2, delay * 2^tries], at most 64 delay
    };
    Kind kind = Kind::jitter;
    Duration delay = std::chrono::milliseconds(10);
};

/// The waiting time after `tries` that were refused before.
Duration wait_time(const WaitPolicy& policy, std::uint32_t tries, Choices& choices);

/// One job of so many takes the lock again, and one think time of so many is long, where these do
/// so sometimes.
inline constexpr std::uint32_t kJobsPerAgain = 4;
inline constexpr std::uint32_t kThinksPerAway = 8;

/// A range that times are drawn from, uniformly.
struct DurationRange {
    Duration least{0};
    Duration most{0};
};

struct Workload {
    DurationRange job;
    DurationRange think;
    /// One think time of eight: a client that stays away for longer than its lease. None if empty.
    DurationRange away;
    WaitPolicy wait;
    Duration give_up{0};    ///< see LockOptions
    Duration job_limit{0};  ///< a job is stopped, without its write, after this; zero: never
    /// Whether a job takes the lock a second time before its write, and gives that one back: for
    /// locks whose holder may. Sometimes: one job of four.
    enum class Again : std::uint8_t { never, sometimes, always };
    Again takes_again = Again::never;
    /// Calls release also after a try that was refused: what a "finally" does at the wrong place.
    bool always_releases = false;
    /// Where it takes several locks: whether every client begins with the same one, and not each
    /// with another.
    bool same_order = false;
    /// Nothing but the lock, for a benchmark: no register, no job, no thinking.
    bool lock_alone = false;
    /// Open loop: client i wants the lock i times `arrival_offset` after it was started, and from
    /// then on every `arrives_every`, or as soon as it can if it is late. Zero: closed loop, it
    /// thinks.
    Duration arrives_every{0};
    Duration arrival_offset{0};
};

/// What one client does, where `usual` is what the rest do.
Workload its_workload(ClientId client, const Workload& usual, const UnequalClients& unequal);

/// A time from the range, by the run's choices.
Duration draw(const DurationRange& range, Choices& choices);

/// One client's locks: lock n is at server n.
using Locks = std::vector<std::unique_ptr<Lock>>;
Locks make_locks(const Algorithm& algorithm, Client& client, const Key& key,
                 const LockOptions& options, std::uint32_t resources = 1);

/// The worker of one client, which takes its locks one inside the other. `machine`, `locks` and
/// `workload` must outlive it. It ends when the host has seen enough.
Task<> work(Machine& machine, const Locks& locks, const Workload& workload);

}  // namespace locklab
