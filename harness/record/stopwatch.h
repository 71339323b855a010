// Measures how long the program works on something. For people; no run depends on it.
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

/// Processor time that all threads of the program have used so far, without child processes.
inline double processor_seconds() {
    return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

}  // namespace locklab
