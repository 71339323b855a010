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

std::vector<pid_t> own_children() {
    std::vector<pid_t> children;
    std::error_code gone;
    for (const fs::directory_entry& thread : fs::directory_iterator("/proc/self/task", gone)) {
        std::ifstream list(thread.path() / "children");
        children.insert(children.end(), std::istream_iterator<pid_t>(list), {});
    }
    return children;
}

bool bears(pid_t process, const std::string& mark) {
    std::ifstream file("/proc/" + std::to_string(process) + "/environ", std::ios::binary);
    for (std::string variable; std::getline(file, variable, '\0');) {
        if (variable == mark) return true;
    }
    return false;
}

}  // namespace

Orphans::Orphans() {
    static const int told = prctl(PR_SET_CHILD_SUBREAPER, 1);
    static std::atomic<unsigned> count{0};
    static_cast<void>(told);
    mark_[kMark] = std::to_string(getpid()) + "." + std::to_string(++count);
}

void Orphans::end() const {
    // Whose parent ends here is found the next time.
    while (end_some()) {
    }
}

bool Orphans::end_some() const {
    const std::string mark = std::string(kMark) + "=" + mark_.at(kMark);
    bool ended = false;
    for (const pid_t child : own_children()) {
        if (!bears(child, mark)) continue;
        ::kill(child, SIGKILL);
        while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
        ended = true;
    }
    return ended;
}

}  // namespace locklab
