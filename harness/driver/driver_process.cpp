#include "harness/driver/driver_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include "harness/core/limits.h"
#include "harness/core/printable.h"
#include "harness/live/process_name.h"

namespace locklab {

namespace {

using Clock = std::chrono::steady_clock;

/// How much of the end of its stderr is kept.
constexpr std::size_t kMostErrors = 65'536;
constexpr std::size_t kMostErrorsAtOnce = 4'000'000;
/// Far longer than a stop takes, even on a busy machine.
constexpr int kEndLimitMs = 500;
constexpr auto kStopLimit = std::chrono::seconds(20);

void make_nonblocking(int file) { fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK); }

int milliseconds_until(Clock::time_point end) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
}

}  // namespace

void DriverProcess::close_file(int& file) {
    if (file >= 0) close(file);
    file = -1;
}

DriverProcess::DriverProcess(const Start& start) {
    std::signal(SIGPIPE, SIG_IGN);
    launch(start);
    make_nonblocking(in_);
    make_nonblocking(out_);
    make_nonblocking(err_);
}

DriverProcess::~DriverProcess() {
    kill();
    close_file(in_);
    close_file(out_);
    close_file(err_);
    close_file(handle_);
}

bool DriverProcess::say(std::string_view line) {
    while (in_ >= 0 && !line.empty()) {
        const ssize_t written = write(in_, line.data(), line.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        line.remove_prefix(static_cast<std::size_t>(written));
    }
    return line.empty();
}

void DriverProcess::say_no_more() { close_file(in_); }

void DriverProcess::read_out() {
    std::array<char, 65'536> buffer;
    const ssize_t got = read(out_, buffer.data(), buffer.size());
    if (got > 0) said_.append(buffer.data(), static_cast<std::size_t>(got));
    if (got == 0) close_file(out_);
}

/// A driver whose stderr is not read would block: so this reads all that is there, up to a limit.
void DriverProcess::read_err() {
    std::array<char, 65'536> buffer;
    ssize_t got = 1;
    for (std::size_t all = 0; got > 0 && all < kMostErrorsAtOnce; all += buffer.size()) {
        got = read(err_, buffer.data(), buffer.size());
        if (got > 0) errors_.append(buffer.data(), static_cast<std::size_t>(got));
        if (errors_.size() > kMostErrors) errors_.erase(0, errors_.size() - kMostErrors);
    }
    if (got == 0) close_file(err_);
}

std::optional<std::string> DriverProcess::take_line() {
    const std::size_t end = said_.find('\n', searched_);
    if (end == std::string::npos) {
        searched_ = said_.size();
        return std::nullopt;
    }
    std::string line = said_.substr(0, end);
    said_.erase(0, end + 1);
    searched_ = 0;
    return line;
}

/// The files of one poll: a driver's stdout, its stderr and its end.
class DriverProcess::Wait {
public:
    explicit Wait(const DriverProcess& driver)
        : files_{
              {{driver.out_, POLLIN, 0}, {driver.err_, POLLIN, 0}, {driver.handle_, POLLIN, 0}}} {}

    void until(Clock::time_point end) { poll(files_.data(), 3, milliseconds_until(end)); }
    bool out() const { return files_[0].revents != 0; }
    bool err() const { return files_[1].revents != 0; }
    bool ended() const { return files_[2].revents != 0; }

private:
    std::array<pollfd, 3> files_;
};

DriverProcess::Heard DriverProcess::hear(std::string& line, Duration limit) {
    const Clock::time_point end = Clock::now() + limit;
    while (true) {
        if (std::optional<std::string> next = take_line()) {
            if (next->size() > kLongestLine) return Heard::flood;
            line = std::move(*next);
            return Heard::line;
        }
        if (said_.size() > kLongestLine) return Heard::flood;
        if (out_ < 0) return Heard::end;
        Wait wait(*this);
        wait.until(end);
        if (wait.err()) read_err();
        if (wait.out()) {
            read_out();
        } else if (wait.ended()) {
            // Its child processes may hold its stdout open.
            return Heard::end;
        } else if (Clock::now() >= end) {
            return Heard::silence;
        }
    }
}

void DriverProcess::await_any(std::span<DriverProcess* const> drivers, Duration limit) {
    std::vector<pollfd> files;
    for (const DriverProcess* driver : drivers) {
        const bool has_line = driver->said_.find('\n', driver->searched_) != std::string::npos;
        if (has_line || driver->out_ < 0) return;
        files.push_back({driver->out_, POLLIN, 0});
        files.push_back({driver->err_, POLLIN, 0});
        files.push_back({driver->handle_, POLLIN, 0});
    }
    const std::int64_t ns = std::chrono::nanoseconds(std::max(limit, Duration(0))).count();
    const timespec time{ns / 1'000'000'000, ns % 1'000'000'000};
    ppoll(files.data(), files.size(), &time, nullptr);
}

/// Looks without waiting for it: until then its process and group numbers cannot be reused.
bool DriverProcess::has_ended() {
    siginfo_t found{};
    const bool is_there = !is_gone_ && waitid(P_PID, static_cast<id_t>(pid_), &found,
                                              WEXITED | WNOHANG | WNOWAIT) == 0;
    if (is_there && found.si_pid != 0) note_end(found);
    return ended_by_.has_value();
}

void DriverProcess::note_end(const siginfo_t& found) {
    const bool by_itself = found.si_code == CLD_EXITED;
    ended_by_ = (by_itself ? "ended with code " : "was killed by signal ") +
                std::to_string(found.si_status);
}

/// Between vfork and exec, a process with a stopped child does not stop: then all go on, and are
/// stopped again.
bool DriverProcess::stop() {
    const Clock::time_point end = Clock::now() + kStopLimit;
    while (!has_ended() && Clock::now() < end) {
        // Stops the driver itself first: a walk through all processes takes some milliseconds.
        ::kill(-pid_, SIGSTOP);
        if (has_stopped() && all_stand_still()) {
            // What it said before the stop is no sign of life.
            static_cast<void>(spoke_while_stopped());
            return true;
        }
        go_on();
    }
    return false;
}

/// Children of a process that had not stopped yet are found by the next walk.
bool DriverProcess::all_stand_still() {
    for (int i = 0; i < 100; ++i) {
        const std::vector<pid_t> before = std::exchange(stopped_, mark_.bearers());
        signal_all(SIGSTOP);
        const bool all = std::ranges::all_of(stopped_, stands_still);
        if (all && before == stopped_) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(i == 0 ? 0 : 1));
    }
    return false;
}

void DriverProcess::signal_all(int signal) const {
    for (const pid_t each : stopped_) ::kill(each, signal);
}

bool DriverProcess::spoke_while_stopped() {
    const std::size_t before = said_.size();
    std::size_t last = before + 1;
    while (out_ >= 0 && last != said_.size() && said_.size() <= kLongestLine) {
        last = said_.size();
        read_out();
    }
    return said_.size() > before;
}

bool DriverProcess::has_stopped() const {
    for (int i = 0; i < 100; ++i) {
        siginfo_t found{};
        const int options = WSTOPPED | WNOHANG | WNOWAIT;
        const bool looked = waitid(P_PID, static_cast<id_t>(pid_), &found, options) == 0;
        if (looked && found.si_pid != 0) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

void DriverProcess::go_on() {
    if (is_gone_) return;
    ::kill(-pid_, SIGCONT);
    signal_all(SIGCONT);
    stopped_.clear();
}

bool DriverProcess::starts_processes() {
    const std::uint64_t faults = childrens_faults(pid_);
    if (!childrens_faults_) childrens_faults_ = faults;
    return faults > *childrens_faults_ || has_children(pid_);
}

void DriverProcess::kill() {
    if (is_gone_) return;
    static_cast<void>(has_ended());
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    siginfo_t found{};
    while (waitid(P_PID, static_cast<id_t>(pid_), &found, WEXITED) != 0 && errno == EINTR) {
    }
    if (!ended_by_) note_end(found);
    is_gone_ = true;
    // Other processes of its group are locklab's children now.
    while (waitpid(-pid_, nullptr, 0) >= 0 || errno == EINTR) {
    }
    mark_.kill_bearers();
    for (std::size_t before = kMostErrors; err_ >= 0 && before != errors_.size();) {
        before = errors_.size();
        read_err();
    }
}

/// Its files close a moment before its exit status is known.
std::string DriverProcess::how_it_ended() {
    pollfd end{handle_, POLLIN, 0};
    if (!has_ended()) poll(&end, 1, kEndLimitMs);
    return has_ended() ? *ended_by_ : "closed its stdout";
}

std::string DriverProcess::last_words() const {
    std::string_view rest = errors_;
    while (!rest.empty()) {
        const std::size_t before = rest.find_last_of('\n');
        const std::string_view line =
            rest.substr(before == std::string_view::npos ? 0 : before + 1);
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) return printable(line);
        rest = rest.substr(0, before == std::string_view::npos ? 0 : before);
    }
    return "";
}

}  // namespace locklab
