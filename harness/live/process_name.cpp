#include "harness/live/process_name.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

namespace locklab {

namespace {

/// Places in /proc/<pid>/stat after the name in brackets, which may contain anything.
constexpr std::size_t kChildrensFaults = 8;
constexpr std::size_t kStartTime = 19;

std::string content_of(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A field of its stat after the name, by its place; empty if there is no such process.
std::string field_of(const std::string& folder, std::size_t place) {
    const std::string stat = content_of(folder + "/stat");
    const std::size_t name_ends = stat.rfind(") ");
    if (name_ends == std::string::npos) return {};
    std::istringstream fields(stat.substr(name_ends + 2));
    std::string field;
    for (std::size_t i = 0; i <= place; ++i) fields >> field;
    return field;
}

std::string start_text(const std::string& pid) { return field_of("/proc/" + pid, kStartTime); }

/// Boot and namespace.
std::string where() {
    std::string boot = content_of("/proc/sys/kernel/random/boot_id");
    std::erase(boot, '\n');
    std::array<char, 64> space{};
    const ssize_t size = readlink("/proc/self/ns/pid", space.data(), space.size());
    return boot + " " + std::string(space.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
}

}  // namespace

std::string this_process() {
    const std::string pid = std::to_string(getpid());
    return where() + " " + pid + " " + start_text(pid);
}

bool is_dead(const std::string& name) {
    const std::string here = where() + " ";
    if (here.size() < 40 || !name.starts_with(here)) return false;
    std::istringstream rest(name.substr(here.size()));
    int pid = 0;
    std::string start;
    if (!(rest >> pid >> start) || pid <= 0) return false;
    const bool exists = kill(pid, 0) == 0 || errno != ESRCH;
    return !exists || start_text(std::to_string(pid)) != start;
}

std::uint64_t start_of(pid_t process) {
    const std::string text = start_text(std::to_string(process));
    std::uint64_t ticks = 0;
    std::from_chars(text.data(), text.data() + text.size(), ticks);
    return ticks;
}

std::uint64_t childrens_faults(pid_t process) {
    const std::string text = field_of("/proc/" + std::to_string(process), kChildrensFaults);
    std::uint64_t faults = 0;
    std::from_chars(text.data(), text.data() + text.size(), faults);
    return faults;
}

bool has_children(pid_t process) {
    std::error_code gone;
    const std::filesystem::path threads = "/proc/" + std::to_string(process) + "/task";
    for (std::filesystem::directory_iterator each(threads, gone), end; !gone && each != end;
         each.increment(gone)) {
        if (!content_of((each->path() / "children").string()).empty()) return true;
    }
    return false;
}

char state_in(const std::string& folder) {
    const std::string text = field_of(folder, 0);
    return text.empty() ? '\0' : text[0];
}

char state_of(pid_t process) { return state_in("/proc/" + std::to_string(process)); }

}  // namespace locklab
