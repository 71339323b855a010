// The keeper of time for processes that live in virtual time. Each starts with the environment that
// it provides; from then on their clocks stand still, and the keeper ends their waits.
//
// 1. One process acts at a time: the one whose rest is awaited. Then it sees what was done to it
// before, and what has become due.
// 2. It is at rest when none of its threads has the baton, or could get it: one of them has looked
// since the turn began, or all sleep in the kernel, as the kernel says. So a busy machine delays
// this, but changes nothing.
// 3. Time moves while all are at rest. A process sees it when it is shown it; a process that is not
// shown the time stands still: this is a pause.
// 4. If processes communicate in other ways, nothing is promised.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "harness/core/time.h"
#include "harness/core/watcher.h"
#include "harness/live/time_folder.h"
#include "harness/virtual/thread_look.h"

namespace locklab {

class VirtualTime {
public:
    static constexpr std::size_t kMostProcesses = TimePage::kProcesses;

    enum class Rest {
        at_rest,
        ended,      ///< the process is gone
        restless,   ///< it did not come to rest within the limit, which is real time
        elsewhere,  ///< it does not run either, but waits in a way that the preloaded library does
                    ///< not know
        stranger,   ///< it has not loaded the preloaded library: its time is real
        rung,       ///< it has set a timer that comes as a signal, in real time
        crowded,    ///< it has had more threads than there are rows
        given_up,   ///< `stop` was set meanwhile
    };

    /// `stop` must outlive it.
    explicit VirtualTime(const std::atomic<bool>& stop = kNeverStopped) : stop_(stop) {}

    /// Environment for the next process with this number; the earlier one must be gone.
    std::map<std::string, std::string> environment(std::size_t process);
    void started(std::size_t process, pid_t pid) { pids_[process] = pid; }

    Instant now() const { return now_; }
    void move_to(Instant later);
    /// Shows the process the present time.
    void show(std::size_t process);
    /// From now on this process may act, and the others may not.
    void give_turn(std::size_t process);
    /// Gives it the turn, waits until it is at rest, and takes the turn back.
    /// `read`: called again and again while it waits for somebody who reads what it writes.
    Rest await_rest(std::size_t process, Duration limit, const std::function<void()>& read = {});
    /// The system call in which a process that waits `elsewhere` was last seen; 0: unknown.
    long waits_in() const { return waits_in_; }

    /// When a process at rest acts by itself next; nothing: never.
    std::optional<Instant> deadline(std::size_t process) const;
    bool is_due(std::size_t process) const;

    /// From now on the wall clock of this process and its successors is ahead by this much, or
    /// behind.
    void set_ahead(std::size_t process, Duration ahead);
    /// From now on all of its random bytes follow from this number, which must not be 0.
    void seed(std::size_t process, std::uint64_t seed);

private:
    enum class Look {
        acts,
        falls_asleep,  ///< it can do nothing more, but the kernel still lets it run
        rests,
    };

    ProcessRow& row(std::size_t process) { return folder_.page().processes[process]; }
    const ProcessRow& row(std::size_t process) const { return folder_.page().processes[process]; }
    bool has_ended(std::size_t process) const;
    Look look_at(std::size_t process);
    Look look_at(const ProcessRow& own, ThreadRow& thread);
    /// Makes one of its threads look for the next one.
    void stir(std::size_t process);
    /// Takes the baton from a thread that waits in the kernel for another thread.
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
