#include "harness/virtual/thread_look.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

namespace locklab {

namespace {

/// Most files of one process that are kept open: its threads come and go, and each new one would
/// leave its file behind.
constexpr std::size_t kMostFiles = 64;

int open_of(pid_t process, pid_t thread, const char* name) {
    const std::string path =
        "/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/" + name;
    return open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

/// The first bytes of the file as it is now; empty: it cannot be read.
std::string_view read_now(int file, std::array<char, 512>& bytes) {
    const ssize_t size = pread(file, bytes.data(), bytes.size() - 1, 0);
    return {bytes.data(), size < 0 ? 0 : static_cast<std::size_t>(size)};
}

}  // namespace

ThreadLook::~ThreadLook() {
    while (!files_.empty()) forget(files_.begin()->first);
}

void ThreadLook::forget(pid_t process) {
    for (const auto& [thread, file] : files_[process]) close(file);
    files_.erase(process);
}

bool ThreadLook::sleeps(pid_t process, pid_t thread) {
    const std::map<pid_t, int>& kept = files_[process];
    if (kept.size() >= kMostFiles && !kept.contains(thread)) forget(process);
    const auto [found, fresh] = files_[process].try_emplace(thread, -1);
    if (fresh) found->second = open_of(process, thread, "stat");
    std::array<char, 512> bytes{};
    const std::string_view text = read_now(found->second, bytes);
    // The state follows the name, which may contain anything.
    const std::size_t name = text.rfind(") ");
    if (name != std::string_view::npos) return text[name + 2] == 'S';
    close(found->second);
    files_[process].erase(found);
    return false;
}

std::optional<ThreadLook::Call> ThreadLook::call_of(pid_t process, pid_t thread) {
    const int file = open_of(process, thread, "syscall");
    if (file < 0) return std::nullopt;
    std::array<char, 512> bytes{};
    read_now(file, bytes);
    close(file);
    Call call;
    unsigned long operation = 0;
    unsigned long limit = 0;
    const int read =
        std::sscanf(bytes.data(), "%ld %*x %lx %*x %lx", &call.number, &operation, &limit);
    if (read < 3) return std::nullopt;
    const unsigned long kind = operation & static_cast<unsigned long>(FUTEX_CMD_MASK);
    const bool waits = kind == FUTEX_WAIT || kind == FUTEX_WAIT_BITSET || kind == FUTEX_LOCK_PI;
    call.only_others_end = call.number == SYS_futex && waits && limit == 0;
    return call;
}

}  // namespace locklab
