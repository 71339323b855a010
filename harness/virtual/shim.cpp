#include "harness/virtual/shim.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace locklab::shim {

namespace {

/// A thread that the keeper cannot wake looks so often whether its time has come.
constexpr timespec kMoment{0, 1'000'000};
/// Files of the process itself get small numbers, as they do without this library.
constexpr int kPipe = 200;
constexpr long kFutexWake = 1;

TimePage* the_page = nullptr;
ProcessRow* the_row = nullptr;
int the_pipe = -1;
pthread_key_t at_thread_end;
thread_local ThreadRow* own_row = nullptr;
thread_local bool reads_sockets = false;
thread_local int main_thread = 0;  ///< 1: this is it; -1: it is not

long call(long number, long a, long b = 0, long c = 0, long d = 0, long e = 0) {
    return syscall(number, a, b, c, d, e);
}

void leave(void* mine) {
    auto* left = static_cast<ThreadRow*>(mine);
    left->state = ThreadState::rests;
    left->deadline = kNoDeadline;
    left->owner = 0;
}

/// For what was forked nothing is preloaded, but a clock that is wrong stays so.
void forget_everything() {
    if (!is_virtual()) return;
    the_row = nullptr;
    own_row = nullptr;
    main_thread = 0;
}

__attribute__((constructor)) void begin() {
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
    // A program that another one starts in its place keeps the row; what it starts beside itself
    // finds it taken, where there is a virtual time to be kept. A wrong clock is everybody's.
    const bool is_free = own.pid.compare_exchange_strong(nobody, getpid());
    const bool is_ours = is_free || nobody == getpid() || own.is_virtual == 0;
    if (!is_ours) return;
    snprintf(path, sizeof path, "%.*s/wake.%zu", static_cast<int>(colon - variable), variable,
             number);
    const int low = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (low >= 0) {
        the_pipe = fcntl(low, F_DUPFD_CLOEXEC, kPipe);
        close(low);
    }
    pthread_key_create(&at_thread_end, leave);
    pthread_atfork(nullptr, nullptr, forget_everything);
    for (ThreadRow& each : own.threads) each.owner = 0;
    the_row = &own;
    static_cast<void>(thread_row());
}

}  // namespace

ProcessRow* row() { return the_row; }

bool is_virtual() { return the_row != nullptr && the_row->is_virtual.load() != 0; }

bool is_main_thread() {
    if (main_thread == 0) main_thread = getpid() == gettid() ? 1 : -1;
    return main_thread > 0;
}

std::int64_t now() { return the_row->now.load(); }

ThreadRow* thread_row() {
    if (own_row != nullptr || the_row == nullptr) return own_row;
    for (ThreadRow& each : the_row->threads) {
        std::int32_t nobody = 0;
        if (!each.owner.compare_exchange_strong(nobody, gettid())) continue;
        each.state = ThreadState::runs;
        own_row = &each;
        if (!is_main_thread()) pthread_setspecific(at_thread_end, own_row);
        break;
    }
    return own_row;
}

void publish(const Published& wait) {
    ThreadRow* mine = thread_row();
    if (mine == nullptr) return;
    mine->deadline = wait.deadline;
    mine->seen = wait.seen;
    mine->state = wait.state;
    the_page->changes.fetch_add(1);
    if (the_page->listened.load() == 0) return;
    const int error = errno;
    call(SYS_futex, reinterpret_cast<long>(&the_page->changes), kFutexWake, 1);
    errno = error;
}

bool is_to_look(const Published& wait) {
    if (now() >= wait.deadline) return true;
    return wait.state == ThreadState::waits && row()->kicks.load() != wait.seen;
}

void note_reader() { reads_sockets = true; }

ThreadState waiting_state() {
    return reads_sockets || is_main_thread() ? ThreadState::waits : ThreadState::rests;
}

void run_again() {
    if (own_row != nullptr) own_row->state = ThreadState::runs;
}

bool sleep_on(pollfd* files, std::size_t count, const Published& published, const sigset_t* mask) {
    const bool can_be_woken = is_main_thread() && the_pipe >= 0;
    // It rests for ever, unless its files have something.
    const bool is_endless =
        published.state == ThreadState::rests && published.deadline == kNoDeadline;
    if (can_be_woken) files[count] = {the_pipe, POLLIN, 0};
    while (true) {
        timespec moment = kMoment;
        const bool for_a_moment = !can_be_woken && !is_endless;
        const long got = call(SYS_ppoll, reinterpret_cast<long>(files),
                              static_cast<long>(count + (can_be_woken ? 1 : 0)),
                              for_a_moment ? reinterpret_cast<long>(&moment) : 0,
                              reinterpret_cast<long>(mask), mask == nullptr ? 0 : 8);
        if (got < 0) return errno != EINTR;
        if (got > 0 || is_to_look(published)) break;
    }
    if (can_be_woken && files[count].revents != 0) {
        char woken[64];
        call(SYS_read, the_pipe, reinterpret_cast<long>(woken), sizeof woken);
    }
    return true;
}

}  // namespace locklab::shim
