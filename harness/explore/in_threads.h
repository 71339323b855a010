// Runs the same work in several threads at once.
#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace locklab {

/// Calls work(0) to work(threads - 1), each in a thread, and waits for all. Rethrows the exception
/// of the lowest number, if any threw.
template <class Work>
void in_threads(std::size_t threads, Work work) {
    std::vector<std::exception_ptr> thrown(threads);
    const auto guarded = [&](std::size_t t) {
        try {
            work(t);
        } catch (...) {
            thrown[t] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t t = 1; t < threads; ++t)
            others.emplace_back([&guarded, t] { guarded(t); });
        guarded(0);
    }
    for (const std::exception_ptr& error : thrown) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace locklab
