// Waits for files, and for a time.

#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include <cerrno>

#include "harness/virtual/shim.h"

namespace {

using namespace locklab::shim;

constexpr std::size_t kMostFiles = 1024;
constexpr std::int64_t kMillisecond = 1'000'000;

std::int64_t deadline_of(int timeout_ms) {
    return timeout_ms < 0 ? locklab::kNoDeadline : now() + timeout_ms * kMillisecond;
}

std::int64_t deadline_of(const timespec* span) {
    return span == nullptr ? locklab::kNoDeadline : after(*span);
}

/// A copy of poll's own files, with room for one more.
struct Files {
    Files(const pollfd* given, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) files[i] = given[i];
    }
    Files() = default;
    pollfd files[kMostFiles + 1];
};

int poll_until(pollfd* given, std::size_t count, std::int64_t deadline, const sigset_t* mask) {
    if (count > kMostFiles) {
        errno = EINVAL;
        return -1;
    }
    Files copy(given, count);
    return wait([&] { return LOCKLAB_NEXT(poll)(given, count, 0); }, copy.files, count, deadline,
                mask);
}

int epoll_until(int file, epoll_event* events, int most, std::int64_t deadline,
                const sigset_t* mask) {
    pollfd files[2] = {{file, POLLIN, 0}, {}};
    return wait([&] { return LOCKLAB_NEXT(epoll_wait)(file, events, most, 0); }, files, 1, deadline,
                mask);
}

struct Sets {
    fd_set* read;
    fd_set* write;
    fd_set* except;
};

bool has(const fd_set* set, int file) { return set != nullptr && FD_ISSET(file, set); }

int select_until(int count, Sets sets, std::int64_t deadline, const sigset_t* mask) {
    const Sets nothing{nullptr, nullptr, nullptr};
    fd_set asked[3];
    fd_set* const given[3] = {sets.read, sets.write, sets.except};
    for (int i = 0; i < 3; ++i) {
        if (given[i] != nullptr) asked[i] = *given[i];
    }
    Files list;
    std::size_t files = 0;
    for (int file = 0; file < count && file < static_cast<int>(kMostFiles); ++file) {
        const int events = (has(sets.read, file) ? POLLIN : 0) |
                           (has(sets.write, file) ? POLLOUT : 0) |
                           (has(sets.except, file) ? POLLPRI : 0);
        if (events != 0) list.files[files++] = {file, static_cast<short>(events), 0};
    }
    const auto look = [&] {
        Sets now = nothing;
        fd_set** const mine[3] = {&now.read, &now.write, &now.except};
        for (int i = 0; i < 3; ++i) {
            if (given[i] == nullptr) continue;
            *given[i] = asked[i];
            *mine[i] = given[i];
        }
        timeval none{};
        return LOCKLAB_NEXT(select)(count, now.read, now.write, now.except, &none);
    };
    return wait(look, list.files, files, deadline, mask);
}

int sleep_until(std::int64_t deadline) {
    pollfd files[1];
    return wait([] { return 0; }, files, 0, deadline);
}

/// As clock_nanosleep(): the time left is reported only for a span.
int sleep_as_told(std::int64_t deadline, timespec* left) {
    if (sleep_until(deadline) == 0) return 0;
    const std::int64_t rest = deadline > now() ? deadline - now() : 0;
    if (left != nullptr) *left = {rest / kSecond, rest % kSecond};
    return EINTR;
}

}  // namespace

LOCKLAB_EXPORT int epoll_wait(int file, epoll_event* events, int most, int timeout) {
    if (!is_virtual()) return LOCKLAB_NEXT(epoll_wait)(file, events, most, timeout);
    return epoll_until(file, events, most, deadline_of(timeout), nullptr);
}

LOCKLAB_EXPORT int epoll_pwait(int file, epoll_event* events, int most, int timeout,
                               const sigset_t* mask) {
    if (!is_virtual()) return LOCKLAB_NEXT(epoll_pwait)(file, events, most, timeout, mask);
    return epoll_until(file, events, most, deadline_of(timeout), mask);
}

LOCKLAB_EXPORT int epoll_pwait2(int file, epoll_event* events, int most, const timespec* timeout,
                                const sigset_t* mask) {
    if (!is_virtual()) return LOCKLAB_NEXT(epoll_pwait2)(file, events, most, timeout, mask);
    return epoll_until(file, events, most, deadline_of(timeout), mask);
}

LOCKLAB_EXPORT int poll(pollfd* files, nfds_t count, int timeout) {
    if (!is_virtual()) return LOCKLAB_NEXT(poll)(files, count, timeout);
    return poll_until(files, count, deadline_of(timeout), nullptr);
}

LOCKLAB_EXPORT int ppoll(pollfd* files, nfds_t count, const timespec* timeout,
                         const sigset_t* mask) {
    if (!is_virtual()) return LOCKLAB_NEXT(ppoll)(files, count, timeout, mask);
    return poll_until(files, count, deadline_of(timeout), mask);
}

LOCKLAB_EXPORT int __poll_chk(pollfd* files, nfds_t count, int timeout, std::size_t) {
    return poll(files, count, timeout);
}

LOCKLAB_EXPORT int select(int count, fd_set* read, fd_set* write, fd_set* except,
                          timeval* timeout) {
    if (!is_virtual()) return LOCKLAB_NEXT(select)(count, read, write, except, timeout);
    timespec span{};
    if (timeout != nullptr) span = {timeout->tv_sec, timeout->tv_usec * 1000};
    return select_until(count, {read, write, except},
                        deadline_of(timeout == nullptr ? nullptr : &span), nullptr);
}

LOCKLAB_EXPORT int pselect(int count, fd_set* read, fd_set* write, fd_set* except,
                           const timespec* timeout, const sigset_t* mask) {
    if (!is_virtual()) {
        return LOCKLAB_NEXT(pselect)(count, read, write, except, timeout, mask);
    }
    return select_until(count, {read, write, except}, deadline_of(timeout), mask);
}

LOCKLAB_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* span,
                                   timespec* left) {
    const bool is_until = (flags & TIMER_ABSTIME) != 0;
    if (!is_virtual()) {
        const timespec right = is_until ? by_right_clock(clock, *span) : *span;
        return LOCKLAB_NEXT(clock_nanosleep)(clock, flags, &right, left);
    }
    if (is_until) return sleep_as_told(monotonic_of(clock, *span), nullptr);
    return sleep_as_told(after(*span), left);
}

LOCKLAB_EXPORT int nanosleep(const timespec* span, timespec* left) {
    if (!is_virtual()) return LOCKLAB_NEXT(nanosleep)(span, left);
    errno = sleep_as_told(after(*span), left);
    return errno == 0 ? 0 : -1;
}

LOCKLAB_EXPORT int usleep(useconds_t span) {
    const timespec whole{span / 1'000'000, static_cast<long>(span % 1'000'000) * 1000};
    return nanosleep(&whole, nullptr);
}

LOCKLAB_EXPORT unsigned sleep(unsigned span) {
    timespec left{};
    const timespec whole{static_cast<time_t>(span), 0};
    return nanosleep(&whole, &left) == 0 ? 0 : static_cast<unsigned>(left.tv_sec);
}
