// The same work in several threads at once.
#pragma once

#include <cstddef>
#include <thread>
#include <vector>

namespace locklab {

/// Calls work(0) to work(threads - 1), each in a thread, and waits for all. It must not throw.
template <class Work>
void in_threads(std::size_t threads, Work work) {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back([&work, t] { work(t); });
    work(0);
}

}  // namespace locklab
