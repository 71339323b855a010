#include "harness/live/process_name.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

namespace locklab {

namespace {

/// Of /proc/<pid>/stat, behind the name in brackets, which may have anything in it.
constexpr std::size_t kStartTime = 19;

std::string content_of(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// In ticks since the boot; empty if there is no such process.
std::string start_of(const std::string& pid) {
    const std::string stat = content_of("/proc/" + pid + "/stat");
    const std::size_t name_ends = stat.rfind(") ");
    if (name_ends == std::string::npos) return {};
    std::istringstream fields(stat.substr(name_ends + 2));
    std::string field;
    for (std::size_t i = 0; i <= kStartTime; ++i) fields >> field;
    return field;
}

/// The boot and the namespace.
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
    return where() + " " + pid + " " + start_of(pid);
}

bool is_dead(const std::string& name) {
    const std::string here = where() + " ";
    if (here.size() < 40 || !name.starts_with(here)) return false;
    std::istringstream rest(name.substr(here.size()));
    int pid = 0;
    std::string start;
    if (!(rest >> pid >> start) || pid <= 0) return false;
    const bool exists = kill(pid, 0) == 0 || errno != ESRCH;
    return !exists || start_of(std::to_string(pid)) != start;
}

}  // namespace locklab
