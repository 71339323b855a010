// A driver as a process: its lines in and out, its stderr kept, its signals.
//
// Neither it nor anything that it started outlives its owner: the destructor kills all of it. If
// locklab dies without it, the kernel kills the driver when the thread that started it ends. So
// that thread must live as long.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/time.h"
#include "harness/live/process_mark.h"
#include "harness/live/process_name.h"

namespace locklab {

class DriverProcess {
public:
    struct Start {
        std::vector<std::string> words;  ///< the program, searched in PATH, and its arguments
        std::map<std::string, std::string> environment{};  ///< added to the present one
        std::string folder{};  ///< working folder; empty: the present one
    };
    enum class Heard {
        line,
        silence,  ///< nothing came in this time
        end,      ///< no more will come: it has ended, or closed its stdout
        flood,    ///< its line is longer than any may be, or endless
    };

    /// Throws std::runtime_error with one sentence if it cannot be started.
    explicit DriverProcess(const Start& start);
    ~DriverProcess();
    DriverProcess(const DriverProcess&) = delete;
    DriverProcess& operator=(const DriverProcess&) = delete;

    /// False: it has ended, or does not read.
    bool say(std::string_view line);
    void say_no_more();
    /// Its next line, without its end. Keeps what it says on stderr meanwhile.
    Heard hear(std::string& line, Duration limit);
    /// Waits until one of them has something to hear, or the time is over.
    static void await_any(std::span<DriverProcess* const> drivers, Duration limit);

    /// Returns when every thread of it, and of everything that it started, has stopped (SIGSTOP).
    /// False: it has ended, or does not stop.
    bool stop();
    /// Whether it has said something since it was stopped: then a process that it did not start
    /// speaks for it.
    bool spoke_while_stopped();
    void go_on();
    /// Whether it has started processes since the first call, or has some from before.
    bool starts_processes();
    /// As kill -9, with everything that it started. Returns when they are gone.
    void kill();

    pid_t pid() const { return pid_; }
    /// It, and everything that it started, as long as they bear its mark.
    std::vector<pid_t> processes() const { return mark_.bearers(); }
    /// False: it has taken off the mark by which the others are found. Not asked of one that ended.
    bool bears_mark() const { return is_gone_ || mark_.is_on(pid_) || state_of(pid_) == 'Z'; }
    /// "ended with code 3", "was killed by signal 9", or "closed its stdout" while it runs.
    std::string how_it_ended();
    /// The last line of its stderr that is not empty, made printable; empty if it said nothing.
    std::string last_words() const;
    /// All that is kept of its stderr.
    const std::string& stderr_text() const { return errors_; }

private:
    struct Pipe {
        int read = -1;
        int write = -1;
    };
    class Wait;

    static void close_file(int& file);
    static Pipe make_pipe();
    [[noreturn]] static void fail_to_start(const std::string& program, int error);
    void launch(const Start& start);
    void read_out();
    void read_err();
    bool has_ended();
    bool has_stopped() const;
    bool all_stand_still();
    void signal_all(int signal) const;
    void note_end(const siginfo_t& found);
    std::optional<std::string> take_line();

    ProcessMark mark_;
    pid_t pid_ = 0;
    int handle_ = -1;  ///< pidfd of the process; readable once it has ended
    int in_ = -1;
    int out_ = -1;
    int err_ = -1;
    std::string said_;
    std::size_t searched_ = 0;  ///< no line ends before this place
    std::string errors_;
    std::optional<std::string> ended_by_;
    std::optional<std::uint64_t> childrens_faults_;  ///< at the first call of starts_processes()
    std::vector<pid_t> stopped_;                     ///< it, and everything that it started
    bool is_gone_ = false;  ///< it was waited for: its number may be another process's
};

}  // namespace locklab
