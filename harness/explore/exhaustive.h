// Every state that the bounds allow, breadth first, so that the first violation is a shortest one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "harness/check/judge.h"
#include "harness/explore/rules.h"

namespace locklab {

struct SearchLimits {
    std::uint64_t most_states = 50'000'000;
};

struct SearchResult {
    Verdict verdict = Verdict::unknown;
    bool exhausted = false;
    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    std::uint64_t depth = 0;
    std::uint64_t client_runs = 0;
    std::uint64_t digest = 0;
    std::vector<Step> witness;  ///< shortest; empty if it holds
    State witness_start;        ///< where it begins
};

SearchResult search_exhaustively(const Algorithm& algorithm, const Bounds& bounds,
                                 const SearchLimits& limits, const std::atomic<bool>& stop);

}  // namespace locklab
