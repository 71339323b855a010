// How long the program has been at something. For people; nothing that a run does depends on it.
#pragma once

#include <chrono>

namespace locklab {

class Stopwatch {
public:
    double seconds() const {
        return std::chrono::duration<double>(now() - begin_).count();
    }

private:
    static std::chrono::steady_clock::time_point now() {
        return std::chrono::steady_clock::now();  // outside any run
    }
    std::chrono::steady_clock::time_point begin_ = now();
};

}  // namespace locklab
