// Preloaded into a real redis-server (LD_PRELOAD), so that a test sets its clock: the wall time
// is the number of microseconds in the file that LOCKLAB_CLOCK names. All other clocks run on, or,
// with LOCKLAB_STILL, stand: Valkey adds to the wall time of its last wait what has passed since,
// by the processor's counter if it finds that in /proc/cpuinfo.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

const volatile std::int64_t* clock_us = nullptr;
const bool is_still = std::getenv("LOCKLAB_STILL") != nullptr;

__attribute__((constructor)) void open_clock() {
    const char* path = std::getenv("LOCKLAB_CLOCK");
    if (path == nullptr) return;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    void* page = mmap(nullptr, sizeof *clock_us, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED) clock_us = static_cast<const volatile std::int64_t*>(page);
}

timespec now_of(clockid_t clock) {
    timespec now{};
    if (clock == CLOCK_REALTIME && clock_us != nullptr) {
        const std::int64_t us = *clock_us;
        now.tv_sec = us / 1'000'000;
        now.tv_nsec = us % 1'000'000 * 1'000;
    } else if (is_still && clock == CLOCK_MONOTONIC) {
        now.tv_sec = 1;
    } else {
        syscall(SYS_clock_gettime, clock, &now);
    }
    return now;
}

}  // namespace

extern "C" {

FILE* fopen(const char* path, const char* mode) {
    if (is_still && std::strcmp(path, "/proc/cpuinfo") == 0) return nullptr;
    using Fopen = FILE* (*)(const char*, const char*);
    static const auto real = reinterpret_cast<Fopen>(dlsym(RTLD_NEXT, "fopen"));
    return real(path, mode);
}

int clock_gettime(clockid_t clock, timespec* now) {
    *now = now_of(clock);
    return 0;
}

int gettimeofday(timeval* __restrict now, void* __restrict) {
    const timespec wall = now_of(CLOCK_REALTIME);
    now->tv_sec = wall.tv_sec;
    now->tv_usec = wall.tv_nsec / 1'000;
    return 0;
}

time_t time(time_t* now) {
    const time_t seconds = now_of(CLOCK_REALTIME).tv_sec;
    if (now != nullptr) *now = seconds;
    return seconds;
}

}  // extern "C"
