#include "harness/live/reactor.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "harness/core/assert.h"

namespace locklab {

namespace {

constexpr std::uint64_t kHeartbeatMs = 50;
/// How often alarms may set alarms that are due at once before sockets have their turn.
constexpr int kMostRounds = 8;
/// That libuv opens for its first loop, and some more.
constexpr std::size_t kFilesOfALoop = 12;

/// Each client has up to four connections, and the usual limit is 1,024 files.
void allow_many_files() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/// Where files are too few for an event loop, libuv ends the process, and folders are left.
void require_files() {
    std::array<int, kFilesOfALoop> files{};
    int error = 0;
    for (int& file : files) {
        file = eventfd(0, EFD_CLOEXEC);
        if (file < 0) error = errno;
    }
    for (const int file : files) {
        if (file >= 0) close(file);
    }
    if (error == 0) return;
    throw std::system_error(error, std::generic_category(), "an event loop cannot be made");
}

}  // namespace

Reactor::Reactor() {
    allow_many_files();
    require_files();
    // Writing to a dead server should fail, not kill this process.
    std::signal(SIGPIPE, SIG_IGN);
    timer_ = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (timer_ < 0) throw std::system_error(errno, std::generic_category(), "timerfd_create");
    LOCKLAB_ASSERT(uv_loop_init(&loop_) == 0);
    LOCKLAB_ASSERT(uv_timer_init(&loop_, &heartbeat_) == 0);
    LOCKLAB_ASSERT(uv_timer_start(
                       &heartbeat_, [](uv_timer_t*) {}, kHeartbeatMs, kHeartbeatMs) == 0);
    LOCKLAB_ASSERT(uv_poll_init(&loop_, &timer_poll_, timer_) == 0);
    timer_poll_.data = this;
    const auto rang = [](uv_poll_t* handle, int, int) {
        static_cast<Reactor*>(handle->data)->timer_rang_ = true;
    };
    LOCKLAB_ASSERT(uv_poll_start(&timer_poll_, UV_READABLE, rang) == 0);
}

Reactor::~Reactor() {
    uv_close(reinterpret_cast<uv_handle_t*>(&heartbeat_), nullptr);
    uv_close(reinterpret_cast<uv_handle_t*>(&timer_poll_), nullptr);
    uv_run(&loop_, UV_RUN_DEFAULT);
    LOCKLAB_ASSERT(uv_loop_close(&loop_) == 0);
    close(timer_);
}

void Reactor::wake_at(Clock::time_point at, Sleeper& sleeper, Alarm alarm) {
    alarms_.push_back({at, ++last_order_, &sleeper, alarm});
    std::push_heap(alarms_.begin(), alarms_.end());
}

void Reactor::forget(const Sleeper& sleeper) {
    std::erase_if(alarms_, [&](const Entry& entry) { return entry.sleeper == &sleeper; });
    std::make_heap(alarms_.begin(), alarms_.end());
}

void Reactor::forget(const Writer& writer) {
    // Replaced in place, since flush() may be iterating.
    std::replace(writers_.begin(), writers_.end(), const_cast<Writer*>(&writer),
                 static_cast<Writer*>(nullptr));
}

void Reactor::turn() {
    for (int round = 0; round < kMostRounds && sound_due(); ++round) {
    }
    flush();
    const bool due = !alarms_.empty() && alarms_.front().at <= Clock::now();
    if (!due) set_timer();
    uv_run(&loop_, due ? UV_RUN_NOWAIT : UV_RUN_ONCE);
}

bool Reactor::has_happened() {
    pollfd happened{uv_backend_fd(&loop_), POLLIN, 0};
    return uv_backend_timeout(&loop_) == 0 || poll(&happened, 1, 0) > 0;
}

void Reactor::look(bool begun) {
    // Work begun in one turn of the loop is only polled in the next.
    for (bool again = begun; again || has_happened();) {
        again = has_happened();
        uv_run(&loop_, UV_RUN_NOWAIT);
        flush();
    }
}

bool Reactor::sound_due() {
    const Clock::time_point now = Clock::now();
    bool sounded = false;
    if (!alarms_.empty()) {
        const auto late = std::chrono::duration_cast<Duration>(now - alarms_.front().at);
        worst_lag_ = std::max(worst_lag_, late);
    }
    while (!alarms_.empty() && alarms_.front().at <= now) {
        std::pop_heap(alarms_.begin(), alarms_.end());
        const Entry entry = alarms_.back();
        alarms_.pop_back();
        entry.sleeper->wake(entry.alarm);
        sounded = true;
    }
    return sounded;
}

void Reactor::flush() {
    // A failed write tells clients at once, and they may have more to write.
    for (std::size_t i = 0; i < writers_.size(); ++i) {
        if (writers_[i] != nullptr) writers_[i]->flush();
    }
    writers_.clear();
}

/// Setting the timer also clears its expiry, so that a wait costs one system call.
void Reactor::set_timer() {
    const Clock::time_point at = alarms_.empty() ? Clock::time_point::max() : alarms_.front().at;
    if (timer_rang_) timer_at_ = Clock::time_point::max();
    if (at >= timer_at_ && !timer_rang_) return;
    itimerspec spec{};
    if (at != Clock::time_point::max()) {
        const auto since = at.time_since_epoch();
        const auto whole = std::chrono::duration_cast<std::chrono::seconds>(since);
        spec.it_value.tv_sec = whole.count();
        spec.it_value.tv_nsec = std::chrono::nanoseconds(since - whole).count();
    }
    LOCKLAB_ASSERT(timerfd_settime(timer_, TFD_TIMER_ABSTIME, &spec, nullptr) == 0);
    timer_at_ = at;
    timer_rang_ = false;
}

}  // namespace locklab
