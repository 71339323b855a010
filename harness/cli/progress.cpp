#include "harness/cli/progress.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "harness/cli/interrupt.h"
#include "harness/core/printable.h"

namespace locklab {

void tell_on_stderr(const std::string& sentence) { std::cerr << "locklab: " << sentence << "\n"; }

ProgressLine::ProgressLine(Else otherwise)
    : terminal_(isatty(STDERR_FILENO) == 1), otherwise_(otherwise) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(std::string_view text) {
    if (!terminal_ && otherwise_ == Else::lines && since_last_.seconds() >= 10) {
        since_last_ = Stopwatch();
        tell_on_stderr(std::string(text));
    }
    if (!terminal_ || (shown_ && since_last_.seconds() < 0.1)) return;
    since_last_ = Stopwatch();
    shown_ = true;
    std::fprintf(stderr, "\r\033[K%s", printable(text).c_str());
    std::fflush(stderr);
}

void ProgressLine::clear() {
    if (!shown_) return;
    shown_ = false;
    std::fprintf(stderr, "\r\033[K");
    std::fflush(stderr);
}

Watcher watcher_with(ProgressLine& line) {
    Watcher watcher;
    watcher.stop = &interrupt_flag();
    watcher.on_show = [&line](std::string_view text) { line.show(text); };
    watcher.on_tell = [&line](const std::string& sentence) {
        line.clear();
        tell_on_stderr(sentence);
    };
    return watcher;
}

}  // namespace locklab
