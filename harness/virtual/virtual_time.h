// The keeper of time of processes that live in virtual time. Each starts with the environment that
// it gives them; from then on their clocks stand still, and their waits end as they are told.
//
// 1. One process acts at a time: the one whose rest is awaited. What was done to it before, and
//    what has become due, it sees then.
// 2. It has come to rest when none of its threads has the baton, or could have it: one of them has
//    looked since the turn began, or all sleep in the kernel, as the kernel says. So a busy machine
//    makes it late, and changes nothing.
// 3. Time is moved while all are at rest. A process sees it when it is shown it: one that is not
//    shown it stands still, which is what a pause is.
// 4. Of processes that speak with each other by other ways, nothing is promised.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "harness/core/time.h"
#include "harness/core/watcher.h"
#include "harness/virtual/thread_look.h"
#include "harness/virtual/time_folder.h"

namespace locklab {

class VirtualTime {
public:
    static constexpr std::size_t kMostProcesses = TimePage::kProcesses;

    enum class Rest {
        at_rest,
        ended,      ///< the process is gone
        restless,   ///< it did not come to rest within the limit, which is real time
        elsewhere,  ///< nor does it run: it waits in a way that the preloaded library does not know
        stranger,   ///< nor has it taken the preloaded library: its time is real
        rung,       ///< it has set a timer that comes as a signal, by the right time
        crowded,    ///< it has had more threads than can be kept
        given_up,   ///< `stop` was set meanwhile
    };

    /// `stop` must outlive it.
    explicit VirtualTime(const std::atomic<bool>& stop = kNeverStopped) : stop_(stop) {}

    /// What the next process of this number is started with; the one before is gone.
    std::map<std::string, std::string> environment(std::size_t process);
    void started(std::size_t process, pid_t pid) { pids_[process] = pid; }

    Instant now() const { return now_; }
    void move_to(Instant later);
    /// It sees the time that it is now.
    void show(std::size_t process);
    /// It may act from here on, and the others may not.
    void give_turn(std::size_t process);
    /// Gives it the turn, and takes that back.
    Rest await_rest(std::size_t process, Duration limit);
    /// The kernel's call in which one that waits elsewhere was last seen; 0: it does not tell.
    long waits_in() const { return waits_in_; }

    /// Of one at rest: when it goes on by itself; nothing: never.
    std::optional<Instant> deadline(std::size_t process) const;
    bool is_due(std::size_t process) const;

    /// Its wall clock, and that of who comes in its place, is so much ahead from here on, or
    /// behind.
    void set_ahead(std::size_t process, Duration ahead);
    /// From here on all that it draws by chance follows from this number, which is not 0.
    void seed(std::size_t process, std::uint64_t seed);

private:
    enum class Look {
        acts,
        falls_asleep,  ///< there is nothing that it could do, but the kernel still lets it run
        rests,
    };

    ProcessRow& row(std::size_t process) { return folder_.page().processes[process]; }
    const ProcessRow& row(std::size_t process) const { return folder_.page().processes[process]; }
    bool has_ended(std::size_t process) const;
    Look look_at(std::size_t process);
    Look look_at(const ProcessRow& own, ThreadRow& thread);
    /// Somebody there looks who is next.
    void stir(std::size_t process);
    /// A thread that has the baton, and waits in the kernel for another one, loses it.
    void take_baton(std::size_t process);

    const std::atomic<bool>& stop_;
    TimeFolder folder_;
    ThreadLook kernel_;
    Instant now_;
    std::array<pid_t, kMostProcesses> pids_{};
    std::array<Duration, kMostProcesses> ahead_{};
    long waits_in_ = 0;
    std::uint32_t turns_ = 0;
};

}  // namespace locklab
