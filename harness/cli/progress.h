// One line on stderr that says how far long work is; nothing where stderr is no terminal.
#pragma once

#include <string_view>

#include "harness/core/watcher.h"
#include "harness/record/stopwatch.h"

namespace locklab {

/// One sentence that stays.
void tell_on_stderr(const std::string& sentence);

class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Replaces the line, at most ten times a second.
    void show(std::string_view text);
    void clear();

private:
    bool terminal_;
    bool shown_ = false;
    Stopwatch since_last_;
};

/// Ctrl-C stops what it watches; what is shown is the line, and what is told stays on stderr. The
/// line must outlive it.
Watcher watcher_with(ProgressLine& line);

}  // namespace locklab
