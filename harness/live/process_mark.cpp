#include "harness/live/process_mark.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <climits>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "harness/live/process_name.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

// The mark: "LK", the number of the marking process, a part of its start time, and a count.
constexpr std::uint64_t kMagic = 0x4c4b;
constexpr int kPidBits = 22;  // enough for every process number on Linux
constexpr int kStartBits = 10;
constexpr int kCountBits = 16;
constexpr int kMarkBits = 15 + kPidBits + kStartBits + kCountBits;
constexpr std::string_view kLimit = "Max file locks";
constexpr auto kLongestEnd = std::chrono::seconds(5);

constexpr std::uint64_t low(std::uint64_t value, int bits) {
    return value & ((std::uint64_t{1} << bits) - 1);
}

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

/// The marking process and its start time, as part of a mark.
std::uint64_t owner_in(std::uint64_t mark) { return mark >> kCountBits; }
std::uint64_t owner_mark(pid_t process) {
    const std::uint64_t start = low(start_of(process), kStartBits);
    return (kMagic << (kPidBits + kStartBits)) |
           (low(static_cast<std::uint64_t>(process), kPidBits) << kStartBits) | start;
}
pid_t pid_in(std::uint64_t mark) {
    return static_cast<pid_t>(low(mark >> (kCountBits + kStartBits), kPidBits));
}

/// Zero: the process has no mark, or does not exist.
std::uint64_t mark_of(pid_t process) {
    std::ifstream limits(folder_of(process) + "/limits");
    for (std::string line; std::getline(limits, line);) {
        if (!line.starts_with(kLimit)) continue;
        const std::size_t at = line.find_first_not_of(' ', kLimit.size());
        if (at == std::string::npos) return 0;
        std::uint64_t mark = 0;
        std::from_chars(line.data() + at, line.data() + line.size(), mark);
        return mark >> (kCountBits + kPidBits + kStartBits) == kMagic ? mark : 0;
    }
    return 0;
}

std::vector<pid_t> processes_with(const std::function<bool(pid_t, std::uint64_t)>& fits) {
    std::vector<pid_t> found;
    std::error_code gone;
    for (fs::directory_iterator each("/proc", gone), end; !gone && each != end;
         each.increment(gone)) {
        const std::string name = each->path().filename().string();
        pid_t process = 0;
        const auto [last, error] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (error != std::errc() || last != name.data() + name.size()) continue;
        const std::uint64_t mark = mark_of(process);
        if (mark != 0 && fits(process, mark) && state_of(process) != 'Z') found.push_back(process);
    }
    std::ranges::sort(found);
    return found;
}

/// Whether its process numbers mean the same as ours.
bool is_of_this_namespace(pid_t process) {
    std::error_code error;
    const fs::path ours = fs::read_symlink("/proc/self/ns/pid", error);
    const fs::path its = fs::read_symlink(folder_of(process) + "/ns/pid", error);
    return !error && ours == its;
}

/// Also waits for it if it is our child.
bool is_gone(pid_t process) {
    waitpid(process, nullptr, WNOHANG);
    const char state = state_of(process);
    return state == 0 || state == 'X';
}

/// Returns when they are gone, or after some seconds. Orphans of theirs are init's to wait for.
void kill_all(const std::vector<pid_t>& processes) {
    for (const pid_t each : processes) ::kill(each, SIGKILL);
    const auto end = std::chrono::steady_clock::now() + kLongestEnd;
    while (!std::ranges::all_of(processes, is_gone) && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

/// A mark is a soft limit, which must not exceed the hard one. To raise that one takes a privilege.
void make_room_for_marks() {
    rlimit limit{};
    getrlimit(RLIMIT_LOCKS, &limit);
    if (limit.rlim_max >= std::uint64_t{1} << kMarkBits) return;
    const std::string most = std::to_string(limit.rlim_max);
    limit.rlim_max = RLIM_INFINITY;
    if (setrlimit(RLIMIT_LOCKS, &limit) == 0) return;
    throw std::runtime_error(
        "No process can be started that is found again: the hard limit of "
        "file locks (RLIMIT_LOCKS, 'ulimit -Hx') is " +
        most +
        ", and locklab marks processes by it; right would be "
        "'unlimited', as Linux has no other use for it.");
}

/// Whether orphans of what this process starts become its children.
bool takes_orphans() {
    int takes = 0;
    return prctl(PR_GET_CHILD_SUBREAPER, &takes) == 0 && takes != 0;
}

}  // namespace

ProcessMark::ProcessMark() {
    make_room_for_marks();
    // Orphans become children of locklab, which waits for them: no zombie is left.
    static const int told = prctl(PR_SET_CHILD_SUBREAPER, 1);
    static std::atomic<std::uint64_t> count{0};
    static_cast<void>(told);
    mark_ = (owner_mark(getpid()) << kCountBits) | low(++count, kCountBits);
}

void ProcessMark::put_on() const {
    rlimit limit{};
    getrlimit(RLIMIT_LOCKS, &limit);
    limit.rlim_cur = mark_;
    setrlimit(RLIMIT_LOCKS, &limit);
}

bool ProcessMark::is_on(pid_t process) const { return mark_of(process) == mark_; }

std::vector<pid_t> ProcessMark::bearers() const {
    return processes_with([this](pid_t, std::uint64_t mark) { return mark == mark_; });
}

void ProcessMark::kill_bearers() const {
    const auto end = std::chrono::steady_clock::now() + kLongestEnd;
    // The next walk finds a process that was just started.
    for (std::vector<pid_t> left = bearers(); !left.empty(); left = bearers()) {
        kill_all(left);
        if (std::chrono::steady_clock::now() > end) return;
    }
}

std::size_t ProcessMark::kill_what_the_dead_left() {
    const auto is_left = [](pid_t process, std::uint64_t mark) {
        const pid_t owner = pid_in(mark);
        const bool lives =
            state_of(owner) != 0 && state_of(owner) != 'Z' && owner_mark(owner) == owner_in(mark);
        return !lives && is_of_this_namespace(process);
    };
    std::size_t killed = 0;
    const auto end = std::chrono::steady_clock::now() + kLongestEnd;
    for (std::vector<pid_t> left = processes_with(is_left);
         !left.empty() && std::chrono::steady_clock::now() < end; left = processes_with(is_left)) {
        kill_all(left);
        killed += left.size();
    }
    return killed;
}

/// None where the kernel does not list children (CONFIG_PROC_CHILDREN).
std::vector<pid_t> ProcessMark::children() {
    std::vector<pid_t> found;
    std::error_code gone;
    for (fs::directory_iterator each("/proc/self/task", gone), end; !gone && each != end;
         each.increment(gone)) {
        std::ifstream list(each->path() / "children");
        for (pid_t child = 0; list >> child;) {
            if (state_of(child) != 'Z') found.push_back(child);
        }
    }
    return found;
}

void ProcessMark::kill_children(const std::vector<pid_t>& spared) {
    if (!takes_orphans()) return;
    const auto end = std::chrono::steady_clock::now() + kLongestEnd;
    // Those of a child become ours when it is gone.
    while (std::chrono::steady_clock::now() < end) {
        std::vector<pid_t> left = children();
        std::erase_if(left, [&](pid_t child) { return std::ranges::count(spared, child) > 0; });
        if (left.empty()) return;
        kill_all(left);
    }
}

bool stands_still(pid_t process) {
    std::error_code gone;
    for (fs::directory_iterator each(folder_of(process) + "/task", gone), end; !gone && each != end;
         each.increment(gone)) {
        const char state = state_in(each->path().string());
        if (state != 'T' && state != 't' && state != 'Z' && state != 'X' && state != 0) {
            return false;
        }
    }
    return true;
}

}  // namespace locklab
