#include "harness/driver/apart.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string_view>
#include <system_error>

#include "harness/core/limits.h"

namespace locklab {

namespace {

/// Places can be as fine as lines: setting a new limit for each would cost more than the work.
constexpr std::uint64_t kPlacesPerRenewal = 1024;

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

/// A sanitizer maps the whole address space.
constexpr bool is_sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
    return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
    return false;
#endif
}

std::uint64_t mapped_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::uint64_t pages = 0;
    statm >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void limit_to(__rlimit_resource of, rlim_t most) {
    rlimit limit{};
    getrlimit(of, &limit);
    if (limit.rlim_max != RLIM_INFINITY && most > limit.rlim_max) most = limit.rlim_max;
    limit.rlim_cur = most;
    setrlimit(of, &limit);
}

/// Writes all of it, or returns false.
bool write_all(int to, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(to, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::string read_all(int from) {
    std::string text;
    std::array<char, 65536> part{};
    for (ssize_t size = 0;
         (size = pread(from, part.data(), part.size(), static_cast<off_t>(text.size()))) > 0;) {
        text.append(part.data(), static_cast<std::size_t>(size));
    }
    return text;
}

/// Exit codes of a child of done_apart.
enum Code : int { done = 0, threw = 101, no_memory, cannot_write };

/// Runs in the child. If the work throws, the text is its message.
[[noreturn]] void do_and_end(const std::function<std::string(Apart&)>& work, Apart& apart, int to) {
    Code code = done;
    std::string text;
    try {
        text = work(apart);
    } catch (const std::bad_alloc&) {
        code = no_memory;
    } catch (const std::exception& error) {
        code = threw;
        text = error.what();
    }
    // _exit, so that the child does not end files, threads and objects of the parent.
    _exit(write_all(to, text) ? code : cannot_write);
}

class MemoryFile {
public:
    MemoryFile() : file_(memfd_create("apart", MFD_CLOEXEC)) {
        if (file_ < 0) fail("no file in memory can be made");
    }
    ~MemoryFile() { close(file_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    int get() const { return file_; }

private:
    int file_;
};

}  // namespace

Apart::Apart() {
    void* const shared = mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) fail("no memory for a child process");
    place_ = new (shared) std::atomic<std::uint64_t>(0);
}

Apart::~Apart() { munmap(place_, sizeof(*place_)); }

std::optional<ApartEnd> Apart::split() {
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) fail("no child process can be started");
    if (child > 0) return end_of(child);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_FAILURE);
    limit();
    return std::nullopt;
}

void Apart::limit() const {
    limit_to(RLIMIT_CORE, 0);
    if (!is_sanitized()) limit_to(RLIMIT_AS, mapped_bytes() + kMostApartBytes);
    std::signal(SIGXCPU, SIG_DFL);
    renew_time();
}

void Apart::renew_time() const {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    limit_to(RLIMIT_CPU, seconds + kMostApartSeconds + 1);
}

void Apart::at(std::uint64_t place) {
    const bool same = place_->exchange(place, std::memory_order_relaxed) == place;
    if (same || place % kPlacesPerRenewal == 0) renew_time();
}

ApartEnd Apart::end_of(pid_t child) const {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) fail("a child process cannot be waited for");
    }
    ApartEnd end;
    end.place = place_->load(std::memory_order_relaxed);
    if (WIFEXITED(status)) {
        end.code = WEXITSTATUS(status);
    } else if (WTERMSIG(status) == SIGXCPU) {
        end.why = "took more than " + std::to_string(kMostApartSeconds) + " s of processor time";
    } else {
        end.why = std::string("was ended by a signal (") + strsignal(WTERMSIG(status)) + ")";
    }
    return end;
}

std::string done_apart(const std::function<std::string(Apart&)>& work) {
    const MemoryFile written;
    Apart apart;
    std::optional<ApartEnd> end = apart.split();
    if (!end) do_and_end(work, apart, written.get());
    if (end->code == no_memory) end->why = "took more than 4 GB of memory";
    if (end->code == cannot_write) end->why = "could not write what it found";
    if (end->why.empty() && end->code != done && end->code != threw) {
        end->why = "ended with exit code " + std::to_string(end->code);
    }
    if (!end->why.empty()) throw ApartError(*end);
    std::string text = read_all(written.get());
    if (end->code == threw) throw std::runtime_error(text);
    return text;
}

}  // namespace locklab
