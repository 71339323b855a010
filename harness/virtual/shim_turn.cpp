// The baton: one thread of a process runs at a time, until it waits. The next one follows from what
// all of them wait for, not from when the kernel lets them run.
//
// 1. Only the thread with the baton acts. When it begins to wait, it lays the baton down, and hands
// it to the next thread at once, if there is one. If not, a thread that the kernel wakes looks for
// the next one, which need not be itself; so does the first thread, when the keeper wakes it.
// 2. The next thread is the one that has been ready for the longest; then the first row whose
// deadline has come, or whose files are ready; then the first thread that may get its mutex.
// 3. A thread that the keeper has seen asleep in the kernel, outside of this library's waits, has
// lost the baton. It goes on without it until its next wait.

#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/virtual/shim.h"

namespace locklab::shim {

namespace {

constexpr long kFutexWait = 0;
constexpr long kFutexWake = 1;
constexpr int kBell = 220;
constexpr std::size_t kMostFiles = 1025;
/// Rounds in which the C library destroys a thread's own data; earlier ones may still act.
constexpr int kLastRound = 3;

TimePage* the_page = nullptr;
ProcessRow* own = nullptr;
std::uint32_t our_turn = 0;
pthread_key_t at_thread_end;
thread_local ThreadRow* mine = nullptr;
thread_local int rounds = 0;

std::uint32_t number_of(const ThreadRow* thread) {
    return static_cast<std::uint32_t>(thread - own->threads.data()) + 1;
}

bool has_baton() { return own->baton.load() == number_of(mine); }

void wake_word(std::atomic<std::uint32_t>& word) {
    word.fetch_add(1);
    const int error = errno;
    call(SYS_futex, reinterpret_cast<long>(&word), kFutexWake, 1);
    errno = error;
}

void ring(ThreadRow& thread) {
    const std::uint64_t once = 1;
    thread.rung = 1;
    const int error = errno;
    call(SYS_write, thread.bell, reinterpret_cast<long>(&once), sizeof once);
    errno = error;
}

/// In place of a count of acts: some thread was acting when it was read.
constexpr std::uint64_t kSomebodyActs = ~std::uint64_t{0};

/// What this thread has seen of its own files; valid until another thread acts.
struct Seen {
    bool is_known = false;
    bool input = false;
};
thread_local Seen seen_by_itself;

bool has_input(const ThreadRow& thread) {
    if (&thread == mine && seen_by_itself.is_known) return seen_by_itself.input;
    const auto count = static_cast<std::size_t>(thread.file_count);
    if (count == 0 || count > kMostFiles) return false;
    // A copy: the thread may sleep on its own list, which the kernel writes to.
    pollfd files[kMostFiles];
    memcpy(files, reinterpret_cast<const void*>(thread.files.load()), count * sizeof(pollfd));
    timespec none{};
    const int error = errno;
    const long got = call(SYS_ppoll, reinterpret_cast<long>(files), static_cast<long>(count),
                          reinterpret_cast<long>(&none), 0, 8);
    errno = error;
    return got > 0;
}

ThreadRow* longest_ready() {
    ThreadRow* best = nullptr;
    for (std::uint32_t i = 0; i < own->most; ++i) {
        ThreadRow& each = own->threads[i];
        if (each.owner == 0 || each.state != ThreadState::ready) continue;
        if (best == nullptr || each.ticket < best->ticket) best = &each;
    }
    return best;
}

bool can_go_on(ThreadRow& thread) {
    switch (thread.state.load()) {
        case ThreadState::files: {
            if (thread.deadline <= now() || has_input(thread)) return true;
            // Another thread has taken what it saw: it waits for more.
            if (thread.parked.exchange(0) != 0) wake_word(thread.go);
            return false;
        }
        case ThreadState::rests: return thread.deadline <= now();
        case ThreadState::runs:
        case ThreadState::ready:
        case ThreadState::tries:
        case ThreadState::ended: return false;
    }
    return false;
}

ThreadRow* who_is_next() {
    if (ThreadRow* ready = longest_ready()) return ready;
    for (std::uint32_t i = 0; i < own->most; ++i) {
        ThreadRow& each = own->threads[i];
        if (each.owner != 0 && can_go_on(each)) return &each;
    }
    for (std::uint32_t i = 0; i < own->most; ++i) {
        ThreadRow& each = own->threads[i];
        const bool tries = each.owner != 0 && each.state == ThreadState::tries;
        if (tries && each.tried != own->progress) return &each;
    }
    return nullptr;
}

/// Call it with the lock, while no thread has the baton.
void hand_on() {
    const std::uint32_t turn = the_page->turn;
    if (turn % TimePage::kTurns != our_turn) return;
    ThreadRow* next = who_is_next();
    if (next == nullptr) {
        own->idle = turn;
        return;
    }
    const ThreadState waited = next->state;
    const bool sleeps_on_files = waited == ThreadState::files && next->parked == 0;
    const bool is_time = next->deadline <= now();
    next->state = ThreadState::runs;
    next->parked = 0;
    own->acts.fetch_add(1);
    if (waited != ThreadState::tries) own->progress.fetch_add(1);
    own->baton = number_of(next);
    if (next == mine) return;
    if (!sleeps_on_files) return wake_word(next->go);
    // If its files are ready, the kernel wakes it.
    if (is_time) ring(*next);
}

void tell_keeper() {
    the_page->changes.fetch_add(1);
    if (the_page->listened.load() == 0) return;
    const int error = errno;
    call(SYS_futex, reinterpret_cast<long>(&the_page->changes), kFutexWake, 1);
    errno = error;
}

/// Call it with the lock, after this thread has published what it waits for.
void lay_down() {
    if (has_baton()) own->baton = 0;
    if (own->baton != 0) return;
    hand_on();
    if (own->baton == 0) tell_keeper();
}

/// Call it with the lock, which is free while it sleeps. Returns when this thread has the baton.
void sleep_on_word() {
    while (!has_baton()) {
        const std::uint32_t seen = mine->go;
        own->lock = 0;
        call(SYS_futex, reinterpret_cast<long>(&mine->go), kFutexWait, seen);
        while (own->lock.exchange(1) != 0) call(SYS_sched_yield);
        if (own->baton == 0) hand_on();
    }
    mine->state = ThreadState::runs;
    mine->deadline = kNoDeadline;
    mine->on = 0;
}

void be_ready(ThreadRow& thread) {
    thread.state = ThreadState::ready;
    thread.deadline = kNoDeadline;
    thread.ticket = own->tickets.fetch_add(1);
}

void clear(ThreadRow& thread) {
    thread.deadline = kNoDeadline;
    thread.on = 0;
    thread.woken = 0;
    thread.parked = 0;
    thread.rung = 0;
    thread.bell = -1;
    thread.file_count = 0;
    thread.self = 0;
    thread.tried = 0;
}

/// The row of an ended thread is free when the kernel does not know the thread any more.
bool is_free(ThreadRow& thread) {
    if (thread.owner == 0) return true;
    if (thread.state != ThreadState::ended) return false;
    const int error = errno;
    const bool gone = call(SYS_tgkill, own->pid, thread.owner, 0) != 0;
    errno = error;
    return gone;
}

/// Call it with the lock.
int take_row(std::int32_t owner) {
    for (std::uint32_t i = 0; i < ProcessRow::kThreads; ++i) {
        ThreadRow& each = own->threads[i];
        if (!is_free(each)) continue;
        each.owner = owner;
        clear(each);
        if (own->most <= i) own->most = i + 1;
        return static_cast<int>(i);
    }
    own->crowded = 1;
    return -1;
}

void leave(void* row) {
    if (own == nullptr) return;
    if (++rounds < kLastRound) {
        pthread_setspecific(at_thread_end, row);
        return;
    }
    const TurnLock lock;
    while (wake_one(reinterpret_cast<const void*>(mine->self.load()))) {
    }
    if (mine->bell >= 0) call(SYS_close, mine->bell);
    mine->bell = -1;
    mine->state = ThreadState::ended;
    mine->deadline = kNoDeadline;
    lay_down();
}

void make_bell() {
    if (mine->bell >= 0) return;
    const int error = errno;
    const int low = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (low >= 0) {
        mine->bell = fcntl(low, F_DUPFD_CLOEXEC, kBell);
        call(SYS_close, low);
    }
    errno = error;
}

void take_back_ring() {
    if (mine->rung.exchange(0) == 0) return;
    char bytes[64];
    const int error = errno;
    call(SYS_read, mine->bell, reinterpret_cast<long>(bytes), sizeof bytes);
    errno = error;
}

}  // namespace

TurnLock::TurnLock() {
    while (own->lock.exchange(1) != 0) call(SYS_sched_yield);
}

TurnLock::~TurnLock() { own->lock = 0; }

void begin_turns(TimePage* page, std::size_t process) {
    the_page = page;
    own = &page->processes[process];
    our_turn = TimePage::turn_of(0, process);
    pthread_key_create(&at_thread_end, leave);
    for (ThreadRow& each : own->threads) each.owner = 0;
    own->lock = 0;
    own->crowded = 0;
    own->most = 0;
    const int first = take_row(gettid());
    mine = &own->threads[static_cast<std::size_t>(first)];
    mine->self = pthread_self();
    mine->state = ThreadState::runs;
    pthread_setspecific(at_thread_end, mine);
    own->baton = 1;
}

void forget_turns() {
    own = nullptr;
    mine = nullptr;
}

ThreadRow* thread_row() {
    if (mine != nullptr || own == nullptr) return mine;
    // The thread was created in a way that this library does not see.
    const TurnLock lock;
    const int number = take_row(gettid());
    if (number < 0) return nullptr;
    mine = &own->threads[static_cast<std::size_t>(number)];
    mine->self = pthread_self();
    mine->state = ThreadState::runs;
    pthread_setspecific(at_thread_end, mine);
    return mine;
}

int reserve_row() {
    const TurnLock lock;
    const int number = take_row(-1);
    if (number >= 0) be_ready(own->threads[static_cast<std::size_t>(number)]);
    return number;
}

void give_back(int reserved) {
    const TurnLock lock;
    own->threads[static_cast<std::size_t>(reserved)].owner = 0;
}

void name_row(int reserved, std::uintptr_t thread) {
    own->threads[static_cast<std::size_t>(reserved)].self = thread;
}

void enter(int reserved) {
    mine = &own->threads[static_cast<std::size_t>(reserved)];
    pthread_setspecific(at_thread_end, mine);
    const TurnLock lock;
    mine->owner = gettid();
    mine->self = pthread_self();
    sleep_on_word();
}

bool sleep_on(pollfd* files, std::size_t count, std::int64_t deadline, const sigset_t* mask) {
    if (thread_row() == nullptr) return true;
    make_bell();
    files[count] = {mine->bell, POLLIN, 0};
    bool interrupted = false;
    std::uint64_t acts = kSomebodyActs;
    {
        const TurnLock lock;
        mine->files = reinterpret_cast<std::uintptr_t>(files);
        mine->file_count = count;
        mine->deadline = deadline;
        mine->parked = 0;
        mine->state = ThreadState::files;
        seen_by_itself = {true, false};
        lay_down();
        seen_by_itself = {};
        acts = own->baton == 0 ? own->acts.load() : kSomebodyActs;
        if (has_baton()) {
            mine->deadline = kNoDeadline;
            return true;
        }
    }
    std::uint32_t seen = 0;
    while (true) {
        bool has = false;
        if (mine->parked != 0 || interrupted) {
            call(SYS_futex, reinterpret_cast<long>(&mine->go), kFutexWait, seen);
        } else {
            const long got = call(SYS_ppoll, reinterpret_cast<long>(files),
                                  static_cast<long>(count + 1), 0, reinterpret_cast<long>(mask), 8);
            interrupted = got < 0;
            has = got > (files[count].revents != 0 ? 1 : 0);
        }
        const TurnLock lock;
        take_back_ring();
        if (has_baton()) break;
        if (interrupted && mine->state == ThreadState::files) be_ready(*mine);
        seen_by_itself = {has && own->acts == acts, true};
        if (own->baton == 0) hand_on();
        seen_by_itself = {};
        if (has_baton()) break;
        acts = own->baton == 0 ? own->acts.load() : kSomebodyActs;
        mine->parked = has ? 1 : 0;
        seen = mine->go;
    }
    mine->state = ThreadState::runs;
    mine->deadline = kNoDeadline;
    if (interrupted) errno = EINTR;
    return !interrupted;
}

void yield() {
    if (thread_row() == nullptr) return;
    const TurnLock lock;
    if (longest_ready() == nullptr) return;
    be_ready(*mine);
    lay_down();
    sleep_on_word();
}

void try_later() {
    if (thread_row() == nullptr) {
        call(SYS_sched_yield);
        return;
    }
    const TurnLock lock;
    mine->tried = own->progress.load();
    mine->state = ThreadState::tries;
    lay_down();
    sleep_on_word();
}

void begin_rest(const void* on, std::int64_t deadline) {
    mine->on = reinterpret_cast<std::uintptr_t>(on);
    mine->deadline = deadline;
    mine->woken = 0;
    mine->ticket = own->tickets.fetch_add(1);
    mine->state = ThreadState::rests;
}

bool wake_one(const void* on) {
    ThreadRow* first = nullptr;
    for (std::uint32_t i = 0; i < own->most; ++i) {
        ThreadRow& each = own->threads[i];
        const bool waits = each.owner != 0 && each.state == ThreadState::rests &&
                           each.on == reinterpret_cast<std::uintptr_t>(on);
        if (waits && (first == nullptr || each.ticket < first->ticket)) first = &each;
    }
    if (first == nullptr) return false;
    first->woken = 1;
    be_ready(*first);
    if (own->baton == 0) hand_on();
    return true;
}

bool begin_join(std::uintptr_t thread) {
    const TurnLock lock;
    for (std::uint32_t i = 0; i < own->most; ++i) {
        const ThreadRow& each = own->threads[i];
        const bool lives = each.owner != 0 && each.state != ThreadState::ended;
        if (!lives || each.self != thread) continue;
        begin_rest(reinterpret_cast<const void*>(thread), kNoDeadline);
        return true;
    }
    return false;
}

bool end_rest() {
    const TurnLock lock;
    lay_down();
    sleep_on_word();
    return mine->woken != 0;
}

}  // namespace locklab::shim
