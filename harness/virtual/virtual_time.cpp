#include "harness/virtual/virtual_time.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

#include "harness/core/assert.h"

namespace locklab {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

/// What a monotonic clock shows as virtual time begins: as if the machine had just started.
constexpr nanoseconds kBegan = std::chrono::seconds(1000);
/// Who has not come to rest is told after this time to look again, and then now and then.
constexpr Duration kFirstNudge = microseconds(300);
constexpr Duration kNudge = std::chrono::milliseconds(2);
/// What was written may need a moment to arrive on a machine that is busy with something else.
constexpr int kLooks = 2;
constexpr auto kArrives = microseconds(200);
constexpr int kFutexWait = 0;

std::int64_t monotonic(Instant at) { return (kBegan + nanoseconds(at.time_since_epoch())).count(); }

/// Returns when the number changes, or a little later.
void await_change(std::atomic<std::uint32_t>& number, std::uint32_t from, Duration limit) {
    const timespec span{0, nanoseconds(limit).count()};
    syscall(SYS_futex, &number, kFutexWait, from, &span, nullptr, 0);
}

}  // namespace

std::map<std::string, std::string> VirtualTime::environment(std::size_t process) {
    ProcessRow& own = row(process);
    own.pid = 0;
    own.is_virtual = 1;
    own.rings = 0;
    set_ahead(process, ahead_[process]);
    for (ThreadRow& each : own.threads) each.owner = 0;
    pids_[process] = 0;
    owed_[process] = 0;
    show(process);
    std::map<std::string, std::string> all = folder_.environment(process);
    const std::string chance = LOCKLAB_CHANCE;
    all["PYTHONHASHSEED"] = "0";
    all["PYTHONPATH"] = chance;
    all["NODE_OPTIONS"] = "--require \"" + chance + "/chance.cjs\"";
    all["UV_USE_IO_URING"] = "0";
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

void VirtualTime::show(std::size_t process) {
    row(process).now = monotonic(now_);
    inputs_[process] = row(process).inputs;
}

void VirtualTime::kick(std::size_t process) {
    row(process).kicks.fetch_add(1);
    owed_[process] = kLooks;
}

void VirtualTime::wake(std::size_t process) {
    show(process);
    look_again(process);
}

void VirtualTime::look_again(std::size_t process) {
    row(process).kicks.fetch_add(1);
    folder_.wake(process);
}

bool VirtualTime::has_ended(std::size_t process) const {
    siginfo_t found{};
    const int looked =
        waitid(P_PID, static_cast<id_t>(pids_[process]), &found, WEXITED | WNOHANG | WNOWAIT);
    return looked != 0 || found.si_pid != 0;
}

bool VirtualTime::is_at_rest(std::size_t process) const {
    const ProcessRow& own = row(process);
    if (own.pid == 0) return false;
    // Where all rest, one may be about to be woken by a thread that has never waited; unless they
    // are all there is, and one of them waits for its time.
    bool waits = false;
    bool joins = false;
    bool has_deadline = false;
    for (const ThreadRow& each : own.threads) {
        if (each.owner == 0) continue;
        const ThreadState state = each.state;
        if (state == ThreadState::runs || each.deadline <= own.now) return false;
        if (state == ThreadState::waits && each.seen != own.kicks) return false;
        waits |= state == ThreadState::waits;
        joins |= state == ThreadState::joins;
        has_deadline |= each.deadline != kNoDeadline;
    }
    return waits || (joins && has_deadline);
}

bool VirtualTime::runs(std::size_t process) const {
    return std::ranges::any_of(row(process).threads, [](const ThreadRow& each) {
        return each.owner != 0 && each.state == ThreadState::runs;
    });
}

VirtualTime::Rest VirtualTime::await_rest(std::size_t process, Duration limit) {
    TimePage& page = folder_.page();
    const Clock::time_point end = Clock::now() + limit;
    Clock::time_point nudge = Clock::now() + kFirstNudge;
    bool is_told = false;
    page.listened = 1;
    while (true) {
        const std::uint32_t changes = page.changes;
        if (is_at_rest(process)) {
            const bool arrived = row(process).inputs != inputs_[process];
            if (arrived || owed_[process] == 0) break;
            // It waits for something else, or what was written has not arrived.
            --owed_[process];
            await_change(page.changes, changes, kArrives);
            look_again(process);
            continue;
        }
        // It took what was written before it was kicked, and sleeps: nothing else makes it look.
        const bool took_early = row(process).inputs != inputs_[process] && !runs(process);
        if (took_early && !std::exchange(is_told, true)) folder_.wake(process);
        await_change(page.changes, changes, kFirstNudge);
        const Clock::time_point now = Clock::now();
        if (now < nudge) continue;
        // Who runs will look by itself.
        if (!runs(process)) folder_.wake(process);
        nudge = now + kNudge;
        if (has_ended(process)) return Rest::ended;
        if (stop_) return Rest::given_up;
        if (now > end) return row(process).pid == 0 ? Rest::stranger : Rest::restless;
    }
    owed_[process] = 0;
    page.listened = 0;
    return row(process).rings == 0 ? Rest::at_rest : Rest::rung;
}

std::optional<Instant> VirtualTime::deadline(std::size_t process) const {
    std::int64_t first = kNoDeadline;
    for (const ThreadRow& each : row(process).threads) {
        if (each.owner != 0) first = std::min(first, each.deadline.load());
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
