// How long the program has been at something. For people; nothing that a run does depends on it.
#pragma once

#include <chrono>

namespace locklab {

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

private:
    using Clock = std::chrono::steady_clock;  // outside any run
    Clock::time_point begin_ = Clock::now();  // outside any run
};

}  // namespace locklab
