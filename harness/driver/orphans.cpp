#include "harness/driver/orphans.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace locklab {

namespace {

namespace fs = std::filesystem;

constexpr const char* kMark = "LOCKLAB_DRIVER";

std::vector<pid_t> children_of(pid_t process) {
    std::vector<pid_t> children;
    std::error_code gone;
    const fs::path threads = "/proc/" + std::to_string(process) + "/task";
    for (fs::directory_iterator each(threads, gone), end; !gone && each != end;
         each.increment(gone)) {
        std::ifstream list(each->path() / "children");
        children.insert(children.end(), std::istream_iterator<pid_t>(list), {});
    }
    return children;
}

/// Empty: it bears none.
std::string mark_of(pid_t process) {
    const std::string name = std::string(kMark) + "=";
    std::ifstream file("/proc/" + std::to_string(process) + "/environ", std::ios::binary);
    for (std::string variable; std::getline(file, variable, '\0');) {
        if (variable.starts_with(name)) return variable.substr(name.size());
    }
    return {};
}

}  // namespace

Orphans::Orphans() {
    static const int told = prctl(PR_SET_CHILD_SUBREAPER, 1);
    static std::atomic<unsigned> count{0};
    static_cast<void>(told);
    mark_[kMark] = std::to_string(getpid()) + "." + std::to_string(++count);
}

void Orphans::note_descendants(pid_t driver) {
    for (const pid_t child : children_of(driver)) {
        if (descendants_.insert(child).second) note_descendants(child);
    }
}

void Orphans::end() const {
    // Whose parent ends here is found the next time.
    while (end_some()) {
    }
}

bool Orphans::end_some() const {
    bool ended = false;
    for (const pid_t child : children_of(getpid())) {
        const std::string mark = mark_of(child);
        // A number may be another's by now, who then bears a mark of its own.
        const bool is_known = mark.empty() && descendants_.contains(child);
        if (!is_known && mark != mark_.at(kMark)) continue;
        ::kill(child, SIGKILL);
        while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
        ended = true;
    }
    return ended;
}

}  // namespace locklab
