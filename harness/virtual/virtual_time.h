// The keeper of time of processes that live in virtual time. Each starts with the environment that
// it gives them; from then on their clocks stand still, and their waits end as they are told.
//
// 1. Whoever gives a process something (writes to it, takes or ends its connection) shows it the
//    time before, and kicks it after. It has come to rest when it waits, has looked for input since
//    the last kick, and nothing it waits for is due.
// 2. Time is moved while all are at rest. A process sees it when it is shown it: who is not shown
//    it stands still, which is what a pause is.
// 3. Of processes that speak with each other by other ways, nothing is promised.
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
#include "harness/virtual/time_folder.h"

namespace locklab {

class VirtualTime {
public:
    static constexpr std::size_t kMostProcesses = TimePage::kProcesses;

    enum class Rest {
        at_rest,
        ended,     ///< the process is gone
        restless,  ///< it did not come to rest within the limit, which is real time
        stranger,  ///< nor has it taken the preloaded library: its time is real
        rung,      ///< it has set a timer that comes as a signal, by the right time
        given_up,  ///< `stop` was set meanwhile
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
    /// Something was written to it since it was shown the time.
    void kick(std::size_t process);
    /// It is shown the time, and looks what is due.
    void wake(std::size_t process);
    Rest await_rest(std::size_t process, Duration limit);

    /// Of one at rest: when it goes on by itself; nothing: never.
    std::optional<Instant> deadline(std::size_t process) const;
    bool is_due(std::size_t process) const;

    /// Its wall clock, and that of who comes in its place, is so much ahead from here on, or
    /// behind.
    void set_ahead(std::size_t process, Duration ahead);
    /// From here on all that it draws by chance follows from this number, which is not 0.
    void seed(std::size_t process, std::uint64_t seed);

private:
    ProcessRow& row(std::size_t process) { return folder_.page().processes[process]; }
    const ProcessRow& row(std::size_t process) const { return folder_.page().processes[process]; }
    bool has_ended(std::size_t process) const;
    bool is_at_rest(std::size_t process) const;
    bool runs(std::size_t process) const;
    void look_again(std::size_t process);

    const std::atomic<bool>& stop_;
    TimeFolder folder_;
    Instant now_;
    std::array<pid_t, kMostProcesses> pids_{};
    std::array<Duration, kMostProcesses> ahead_{};
    /// What was written and has not been seen to arrive: how many more times it looks.
    std::array<int, kMostProcesses> owed_{};
    std::array<std::uint64_t, kMostProcesses> inputs_{};
};

}  // namespace locklab
