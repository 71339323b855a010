// Random bytes that follow from the seed: the kernel's calls, and its two files.

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "harness/virtual/shim.h"

namespace locklab::shim {

namespace {

constexpr int kFiles = 1024;
bool random_files[kFiles];

/// splitmix64 (Vigna, https://prng.di.unimi.it).
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

bool gives_random(const char* path) {
    return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

int note(int file, const char* path) {
    if (is_virtual() && file >= 0 && file < kFiles && gives_random(path)) {
        random_files[file] = true;
    }
    return file;
}

}  // namespace

bool draw(void* bytes, std::size_t count) {
    if (!is_virtual() || row()->seed == 0) return false;
    auto* to = static_cast<unsigned char*>(bytes);
    for (std::size_t at = 0; at < count; at += sizeof(std::uint64_t)) {
        const std::uint64_t word = mixed(row()->seed ^ mixed(row()->draws.fetch_add(1)));
        const std::size_t left = count - at;
        memcpy(to + at, &word, left < sizeof word ? left : sizeof word);
    }
    return true;
}

bool is_random(int file) { return file >= 0 && file < kFiles && random_files[file]; }

void forget_random(int file) { random_files[file] = false; }

}  // namespace locklab::shim

using namespace locklab::shim;

// Only flags that may create a file come with a mode.
#define LOCKLAB_MODE(flags)                         \
    mode_t mode = 0;                                \
    if (((flags) & (O_CREAT | __O_TMPFILE)) != 0) { \
        va_list more;                               \
        va_start(more, flags);                      \
        mode = va_arg(more, mode_t);                \
        va_end(more);                               \
    }

LOCKLAB_EXPORT int open(const char* path, int flags, ...) {
    LOCKLAB_MODE(flags)
    return note(LOCKLAB_NEXT(open)(path, flags, mode), path);
}

LOCKLAB_EXPORT int open64(const char* path, int flags, ...) {
    LOCKLAB_MODE(flags)
    return note(LOCKLAB_NEXT(open64)(path, flags, mode), path);
}

LOCKLAB_EXPORT int openat(int folder, const char* path, int flags, ...) {
    LOCKLAB_MODE(flags)
    return note(LOCKLAB_NEXT(openat)(folder, path, flags, mode), path);
}

LOCKLAB_EXPORT int openat64(int folder, const char* path, int flags, ...) {
    LOCKLAB_MODE(flags)
    return note(LOCKLAB_NEXT(openat64)(folder, path, flags, mode), path);
}

LOCKLAB_EXPORT ssize_t getrandom(void* bytes, std::size_t count, unsigned flags) {
    if (draw(bytes, count)) return static_cast<ssize_t>(count);
    return LOCKLAB_NEXT(getrandom)(bytes, count, flags);
}

LOCKLAB_EXPORT int getentropy(void* bytes, std::size_t count) {
    if (draw(bytes, count)) return 0;
    return LOCKLAB_NEXT(getentropy)(bytes, count);
}

LOCKLAB_EXPORT std::uint32_t arc4random() noexcept {
    std::uint32_t word = 0;
    return draw(&word, sizeof word) ? word : LOCKLAB_NEXT(arc4random)();
}

LOCKLAB_EXPORT void arc4random_buf(void* bytes, std::size_t count) noexcept {
    if (!draw(bytes, count)) LOCKLAB_NEXT(arc4random_buf)(bytes, count);
}
