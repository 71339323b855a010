// A line on stderr with the progress of long work; nothing if stderr is no terminal, but for ranks
// of mpirun: its terminal is not theirs.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/core/watcher.h"
#include "harness/record/stopwatch.h"

namespace locklab {

/// Prints one sentence that stays.
void tell_on_stderr(const std::string& sentence);

class ProgressLine {
public:
    enum class Else : std::uint8_t { silent, lines };
    /// If stderr is no terminal: nothing, or a line every ten seconds.
    explicit ProgressLine(Else otherwise = Else::silent);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Replaces the line, at most ten times a second.
    void show(std::string_view text);
    void clear();

private:
    bool terminal_;
    Else otherwise_;
    bool shown_ = false;
    Stopwatch since_last_;
};

/// Ctrl-C sets its stop flag; `show` replaces the line, and `tell` prints to stderr. The line must
/// outlive it.
Watcher watcher_with(ProgressLine& line);

}  // namespace locklab
