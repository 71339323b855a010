#include "harness/record/manifest.h"

#include <sys/utsname.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

namespace locklab {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

#if defined(__clang__)
constexpr const char* kCompiler = "clang++ " __clang_version__;
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif

/// The rest of the first line of a file that begins with `key`, without leading separators.
std::string line_after(const char* path, const std::string& key) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.rfind(key, 0) != 0) continue;
        const std::size_t begin = line.find_first_not_of(" \t:", key.size());
        return begin == std::string::npos ? "" : line.substr(begin);
    }
    return {};
}

Json load_averages() {
    std::ifstream file("/proc/loadavg");
    Json load = Json::array();
    double average = 0;
    for (int i = 0; i < 3 && file >> average; ++i) load.push_back(average);
    return load;
}

/// The kernel's governor of the processors' clock rate; virtual machines do not see it.
std::string governor() {
    const std::string set = line_after("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "");
    return set.empty() ? "not known" : set;
}

/// "Debian GNU/Linux 12 (bookworm)"; empty if the machine does not say
/// (https://www.freedesktop.org/software/systemd/man/latest/os-release.html).
std::string distribution() {
    std::string name = line_after("/etc/os-release", "PRETTY_NAME=");
    std::erase(name, '"');
    return name;
}

/// The commit of a branch of a repository: in a file of its own, or packed.
std::string commit_of(const fs::path& repository, const std::string& branch) {
    const std::string loose = line_after((repository / branch).c_str(), "");
    if (!loose.empty()) return loose;
    std::ifstream packed(repository / "packed-refs");
    for (std::string line; std::getline(packed, line);) {
        if (line.ends_with(" " + branch)) return line.substr(0, line.find(' '));
    }
    return {};
}

/// Commit of the program's checkout; empty if there is none.
std::string commit() {
    const char* home = std::getenv("LOCKLAB_HOME");
    const std::string top = home != nullptr && *home != '\0' ? home : ".";
    // In a second work tree .git is a file that names the folder of its HEAD; a file there names
    // the folder of the branches.
    const std::string elsewhere = line_after((top + "/.git").c_str(), "gitdir: ");
    const fs::path own = fs::path(top) / (elsewhere.empty() ? ".git" : elsewhere);
    const std::string head = line_after((own / "HEAD").c_str(), "");
    if (!head.starts_with("ref: ")) return head.substr(0, 12);
    const fs::path repository = own / line_after((own / "commondir").c_str(), "");
    return commit_of(repository, head.substr(5)).substr(0, 12);
}

}  // namespace

Json machine_manifest() {
    utsname system{};
    uname(&system);
    const std::string memory = line_after("/proc/meminfo", "MemTotal");
    Json json;
    json["locklab"] = LOCKLAB_VERSION;
    json["commit"] = commit();
    json["compiler"] = kCompiler;
    json["machine"]["cpu"] = line_after("/proc/cpuinfo", "model name");
    json["machine"]["cores"] = std::thread::hardware_concurrency();
    json["machine"]["memory_mib"] = std::strtoll(memory.c_str(), nullptr, 10) / 1024;
    json["machine"]["system"] = distribution();
    json["machine"]["kernel"] = std::string(system.sysname) + " " + system.release;
    json["machine"]["governor"] = governor();
    json["machine"]["load"] = load_averages();
    return json;
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

}  // namespace locklab
