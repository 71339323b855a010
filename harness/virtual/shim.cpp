#include "harness/virtual/shim.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace locklab::shim {

namespace {

/// The process's own files get small numbers, as they do without this library.
constexpr int kPipe = 200;

TimePage* the_page = nullptr;
ProcessRow* the_row = nullptr;

/// A forked child behaves as if nothing were preloaded, but a wrong clock stays wrong.
void forget_everything() {
    if (!is_virtual()) return;
    the_row = nullptr;
    forget_turns();
}

/// The keeper tells what a program said last.
[[noreturn]] void end_untrapped() {
    constexpr char kWhy[] =
        "it could read the machine's clock unnoticed: Linux takes no seccomp filter here, or does "
        "not let its vDSO be overwritten\n";
    call(SYS_write, STDERR_FILENO, reinterpret_cast<long>(kWhy), sizeof kWhy - 1);
    _exit(1);
}

__attribute__((constructor)) void begin() {
    if (is_trapped()) take_traps();
    const char* variable = getenv(kTimeVariable);
    const char* colon = variable == nullptr ? nullptr : strrchr(variable, ':');
    if (colon == nullptr || colon - variable > 4000) return;
    const auto number = static_cast<std::size_t>(atoi(colon + 1));
    char path[4096];
    snprintf(path, sizeof path, "%.*s/page", static_cast<int>(colon - variable), variable);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || number >= TimePage::kProcesses) return;
    void* found = mmap(nullptr, sizeof(TimePage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (found == MAP_FAILED || static_cast<TimePage*>(found)->magic != kTimePageMagic) return;
    the_page = static_cast<TimePage*>(found);
    ProcessRow& own = the_page->processes[number];
    std::int32_t nobody = 0;
    // A program that is started by exec in place of another keeps the row. A child process finds
    // the row taken if time is virtual; a wrong clock is shared by all.
    const bool is_free = own.pid.compare_exchange_strong(nobody, getpid());
    const bool is_ours = is_free || nobody == getpid() || own.is_virtual == 0;
    if (!is_ours) return;
    pthread_atfork(nullptr, nullptr, forget_everything);
    if (own.is_virtual != 0) {
        begin_turns(the_page, number);
        snprintf(path, sizeof path, "%.*s/wake.%zu", static_cast<int>(colon - variable), variable,
                 number);
        const int low = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
        if (low >= 0) {
            own.threads[0].bell = fcntl(low, F_DUPFD_CLOEXEC, kPipe);
            close(low);
        }
    }
    the_row = &own;
    if (own.is_virtual != 0 && !trap_calls()) end_untrapped();
}

}  // namespace

TimePage* page() { return the_page; }

ProcessRow* row() { return the_row; }

bool is_virtual() { return the_row != nullptr && the_row->is_virtual.load() != 0; }

std::int64_t now() { return the_row->now.load(); }

long call(long number, long a, long b, long c, long d, long e) {
    return syscall(number, a, b, c, d, e);
}

}  // namespace locklab::shim
