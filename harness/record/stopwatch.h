// How long the program has been at something. For people; nothing that a run does depends on it.
#pragma once

#include <chrono>
#include <ctime>

namespace locklab {

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

private:
    using Clock = std::chrono::steady_clock;  // outside any run
    Clock::time_point begin_ = Clock::now();  // outside any run
};

/// What all threads of the program have used of processors so far; processes that it started are
/// not in it.
inline double processor_seconds() {
    return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

}  // namespace locklab
