// The job around the lock, the same in every world: want it, try until granted, read the register,
// work, write the register, leave, release, think, and again.
#pragma once

#include <memory>
#include <vector>

#include "harness/core/lock.h"
#include "harness/core/machine.h"

namespace locklab {

/// How long to wait after a try that was refused or not answered.
struct WaitPolicy {
    enum class Kind : std::uint8_t {
        fixed,        ///< always `delay`
        jitter,       ///< uniform in [delay / 2, 3 delay / 2]
        exponential,  ///< uniform in [delay / 2, delay * 2^tries], at most 64 delay
    };
    Kind kind = Kind::jitter;
    Duration delay = std::chrono::milliseconds(10);
};

/// The waiting time after a try that followed `tries` failed ones.
Duration wait_time(const WaitPolicy& policy, std::uint32_t tries, Choices& choices);

/// With Again::sometimes one of this many jobs takes the lock again; one of this many think times
/// is long.
inline constexpr std::uint32_t kJobsPerAgain = 4;
inline constexpr std::uint32_t kThinksPerAway = 8;

/// A range from which times are drawn uniformly.
struct DurationRange {
    Duration least{0};
    Duration most{0};
};

struct Workload {
    DurationRange job;
    DurationRange think;
    /// Replaces one think time of eight: the client stays away for longer than its lease. None if
    /// empty.
    DurationRange away;
    WaitPolicy wait;
    Duration give_up{0};    ///< see LockOptions
    Duration job_limit{0};  ///< a job is stopped after this, without its write; zero: never
    /// Whether a job takes the lock a second time before its write, and gives that grant back: for
    /// reentrant locks. Sometimes: one job of four.
    enum class Again : std::uint8_t { never, sometimes, always };
    Again takes_again = Again::never;
    /// Calls release even after a refused try, as a misplaced "finally" does.
    bool always_releases = false;
    /// With several locks: whether all clients begin with the same one, and not each with another.
    bool same_order = false;
    /// Only the lock, for a benchmark: no register, no job, no thinking.
    bool lock_alone = false;
    /// Open loop: client i wants the lock i times `arrival_offset` after its start, and then every
    /// `arrives_every`, or at once if it is late. Zero: closed loop, with think times.
    Duration arrives_every{0};
    Duration arrival_offset{0};
};

/// The workload of one client; `usual` is that of the rest.
Workload its_workload(ClientId client, const Workload& usual, const UnequalClients& unequal);

/// A time from the range, picked by `choices`.
Duration draw(const DurationRange& range, Choices& choices);

/// One client's locks: lock n is at server n.
using Locks = std::vector<std::unique_ptr<Lock>>;
Locks make_locks(const Algorithm& algorithm, Client& client, const Key& key,
                 const LockOptions& options, std::uint32_t resources = 1);

/// The worker of one client, which takes its locks one inside the other. `machine`, `locks` and
/// `workload` must outlive it. It ends when the host says enough.
Task<> work(Machine& machine, const Locks& locks, const Workload& workload);

}  // namespace locklab
