#include "harness/cli/progress.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace locklab {

namespace {

std::int64_t now_ms() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(std::string_view text) {
    if (!terminal_ || now_ms() - last_ms_ < 100) return;
    last_ms_ = now_ms();
    shown_ = true;
    std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(text.size()), text.data());
    std::fflush(stderr);
}

void ProgressLine::clear() {
    if (!shown_) return;
    shown_ = false;
    std::fprintf(stderr, "\r\033[K");
    std::fflush(stderr);
}

}  // namespace locklab
