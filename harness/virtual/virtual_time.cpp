#include "harness/virtual/virtual_time.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <span>

#include "harness/core/assert.h"
#include "harness/live/processor_wait.h"

namespace locklab {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

/// Monotonic clocks at the start of virtual time: as if the machine had just started.
constexpr nanoseconds kBegan = std::chrono::seconds(1000);
/// Intervals, in real time, at which a process that is not at rest is looked at: they do not
/// influence what is seen. A thread that is about to sleep does so within the first; one that acts
/// takes longer.
constexpr Duration kFirstLook = std::chrono::microseconds(40);
constexpr Duration kSecondLook = std::chrono::microseconds(400);
constexpr Duration kLookAgain = std::chrono::milliseconds(1);
constexpr Duration kStuck = std::chrono::milliseconds(10);
constexpr int kFutexWait = 0;
constexpr int kFutexWake = 1;

std::int64_t monotonic(Instant at) { return (kBegan + nanoseconds(at.time_since_epoch())).count(); }

/// Returns when the number changes, or a little later.
void await_change(std::atomic<std::uint32_t>& number, std::uint32_t from, Duration limit) {
    const timespec span{0, nanoseconds(limit).count()};
    syscall(SYS_futex, &number, kFutexWait, from, &span, nullptr, 0);
}

/// By a signal (SIGSTOP): so it never comes to rest.
bool stands_still(pid_t process) {
    siginfo_t found{};
    const int options = WSTOPPED | WNOHANG | WNOWAIT;
    return waitid(P_PID, static_cast<id_t>(process), &found, options) == 0 && found.si_pid != 0;
}

bool is_there(const ThreadRow& thread) { return thread.owner != 0; }

}  // namespace

std::map<std::string, std::string> VirtualTime::environment(std::size_t process) {
    ProcessRow& own = row(process);
    own.pid = 0;
    own.is_virtual = 1;
    own.rings = 0;
    own.crowded = 0;
    // Its first thread has the baton when it begins.
    own.baton = 1;
    set_ahead(process, ahead_[process]);
    for (ThreadRow& each : own.threads) each.owner = 0;
    kernel_.forget(pids_[process]);
    pids_[process] = 0;
    show(process);
    std::map<std::string, std::string> all = folder_.environment(process);
    const std::string chance = LOCKLAB_CHANCE;
    all["PYTHONHASHSEED"] = "0";
    all["PYTHONPATH"] = chance;
    all["NODE_OPTIONS"] = "--require \"" + chance + "/chance.cjs\"";
    all["UV_USE_IO_URING"] = "0";
    // Of programs in Go, for which drivers/shared/virtual_go.py makes another runtime.
    all["GOMAXPROCS"] = "1";
    all["GOGC"] = "off";
    all["GODEBUG"] = "asyncpreemptoff=1";
    return all;
}

void VirtualTime::set_ahead(std::size_t process, Duration ahead) {
    ahead_[process] = ahead;
    row(process).wall = nanoseconds(kEpoch.time_since_epoch() + ahead).count() - kBegan.count();
}

void VirtualTime::move_to(Instant later) {
    LOCKLAB_ASSERT(later >= now_);
    now_ = later;
}

void VirtualTime::show(std::size_t process) { row(process).now = monotonic(now_); }

void VirtualTime::give_turn(std::size_t process) {
    folder_.page().turn = TimePage::turn_of(++turns_, process);
    stir(process);
}

void VirtualTime::stir(std::size_t process) {
    ProcessRow& own = row(process);
    if (own.pid == 0 || own.baton != 0) return;
    const auto threads = std::span(own.threads).first(own.most);
    const bool has_work = std::ranges::any_of(threads, [&](const ThreadRow& each) {
        return is_there(each) && (each.state == ThreadState::ready || each.parked != 0 ||
                                  each.state == ThreadState::tries || each.deadline <= own.now);
    });
    if (!has_work) return;
    for (ThreadRow& each : threads) {
        const ThreadState state = each.state;
        if (!is_there(each) || state == ThreadState::runs || state == ThreadState::ended) continue;
        const bool is_first = &each == threads.data();
        if (state == ThreadState::files && each.parked == 0) {
            // The bells of the other threads exist only in their process.
            if (!is_first) continue;
            each.rung = 1;
            folder_.wake(process);
        } else {
            each.go.fetch_add(1);
            syscall(SYS_futex, &each.go, kFutexWake, 1, nullptr, nullptr, 0);
        }
        return;
    }
}

bool VirtualTime::has_ended(std::size_t process) const {
    siginfo_t found{};
    const int looked =
        waitid(P_PID, static_cast<id_t>(pids_[process]), &found, WEXITED | WNOHANG | WNOWAIT);
    return looked != 0 || found.si_pid != 0;
}

VirtualTime::Look VirtualTime::look_at(const ProcessRow& own, ThreadRow& thread) {
    const auto sleeps = [&] { return kernel_.sleeps(own.pid, thread.owner); };
    switch (thread.state.load()) {
        case ThreadState::ready: return Look::acts;
        case ThreadState::runs: {
            // Without the baton: it waits in the kernel for another thread, or is about to run.
            const auto in = ThreadLook::call_of(own.pid, thread.owner);
            return in && in->only_others_end && sleeps() ? Look::rests : Look::acts;
        }
        case ThreadState::files:
            // The thread woken by stir() takes care of a parked one.
            if (thread.deadline <= own.now || thread.parked != 0) return Look::acts;
            return sleeps() ? Look::rests : Look::falls_asleep;
        case ThreadState::rests: return thread.deadline <= own.now ? Look::acts : Look::rests;
        case ThreadState::tries: return thread.tried == own.progress ? Look::rests : Look::acts;
        case ThreadState::ended:
            if (syscall(SYS_tgkill, own.pid.load(), thread.owner.load(), 0) == 0) {
                return Look::falls_asleep;
            }
            thread.owner = 0;
            return Look::rests;
    }
    return Look::acts;
}

VirtualTime::Look VirtualTime::look_at(std::size_t process) {
    ProcessRow& own = row(process);
    if (own.pid == 0 || own.baton != 0) return Look::acts;
    const std::uint64_t acts = own.acts;
    const bool has_looked = own.idle == folder_.page().turn;
    Look all = Look::rests;
    for (ThreadRow& each : std::span(own.threads).first(own.most)) {
        const ThreadState state = each.state;
        const bool is_known = state != ThreadState::runs && state != ThreadState::ended;
        if (!is_there(each) || (has_looked && is_known)) continue;
        const Look its = look_at(own, each);
        if (its == Look::acts) return its;
        if (its == Look::falls_asleep) all = its;
    }
    return own.acts == acts && own.baton == 0 ? all : Look::acts;
}

void VirtualTime::take_baton(std::size_t process) {
    ProcessRow& own = row(process);
    std::uint32_t holder = own.baton;
    waits_in_ = 0;
    if (own.pid == 0 || holder == 0) return;
    const std::uint64_t acts = own.acts;
    const pid_t thread = own.threads[holder - 1].owner;
    if (!kernel_.sleeps(own.pid, thread)) return;
    const auto in = ThreadLook::call_of(own.pid, thread);
    waits_in_ = in ? in->number : 0;
    if (!in || !in->only_others_end || own.acts != acts) return;
    own.baton.compare_exchange_strong(holder, 0);
}

VirtualTime::Rest VirtualTime::await_rest(std::size_t process, Duration limit,
                                          const std::function<void()>& read) {
    TimePage& page = folder_.page();
    const ProcessRow& own = row(process);
    const auto ended = [&](Rest rest) {
        page.listened = 0;
        page.turn = 0;
        return rest;
    };
    const Clock::time_point began = Clock::now();
    Duration limit_of_look = kFirstLook;
    Clock::time_point next_look = began + kLookAgain;
    // What the process waits for a processor, on a busy machine, does not count.
    std::optional<Duration> waited_before;
    const auto allowed = [&] {
        const Duration waited = longest_processor_wait(pids_[process]).value_or(Duration(0));
        if (!waited_before) waited_before = waited;
        return limit + std::max(Duration(0), waited - *waited_before);
    };
    // Makes this thread's sleeps end on time.
    static thread_local const int is_exact = prctl(PR_SET_TIMERSLACK, 1);
    static_cast<void>(is_exact);
    page.listened = 1;
    waits_in_ = 0;
    give_turn(process);
    while (true) {
        const std::uint32_t changes = page.changes;
        const Look look = look_at(process);
        if (look == Look::rests) break;
        await_change(page.changes, changes, limit_of_look);
        limit_of_look = limit_of_look == kFirstLook ? kSecondLook : kLookAgain;
        const Clock::time_point now = Clock::now();
        if (now < next_look) continue;
        next_look = now + kLookAgain;
        if (has_ended(process)) return ended(Rest::ended);
        if (stop_) return ended(Rest::given_up);
        if (now - began > kStuck) take_baton(process);
        if (waits_in_ == SYS_write && read) read();
        stir(process);
        if (now - began <= allowed() && !stands_still(pids_[process])) continue;
        return ended(own.pid == 0     ? Rest::stranger
                     : waits_in_ != 0 ? Rest::elsewhere
                                      : Rest::restless);
    }
    if (own.crowded != 0) return ended(Rest::crowded);
    return ended(own.rings == 0 ? Rest::at_rest : Rest::rung);
}

std::optional<Instant> VirtualTime::deadline(std::size_t process) const {
    std::int64_t first = kNoDeadline;
    for (const ThreadRow& each : std::span(row(process).threads).first(row(process).most)) {
        if (is_there(each)) first = std::min(first, each.deadline.load());
    }
    if (first == kNoDeadline) return std::nullopt;
    return Instant(std::chrono::ceil<Duration>(nanoseconds(first) - kBegan));
}

bool VirtualTime::is_due(std::size_t process) const {
    const std::optional<Instant> at = deadline(process);
    return at && *at <= now_;
}

void VirtualTime::seed(std::size_t process, std::uint64_t seed) {
    LOCKLAB_ASSERT(seed != 0);
    row(process).seed = seed;
    row(process).draws = 0;
}

}  // namespace locklab
