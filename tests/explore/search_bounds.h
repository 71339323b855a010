// Bounds of searches, as tests write them.
#pragma once

#include <atomic>
#include <cctype>
#include <string>

#include "algorithms/registry.h"
#include "harness/core/fault_text.h"
#include "harness/explore/exhaustive.h"

namespace locklab {

inline const std::atomic<bool> kGoOn{false};

/// A text as the name of a test.
inline std::string test_name(const std::string& text) {
    std::string name;
    for (const char c : text) {
        const bool is_word = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (is_word || (!name.empty() && name.back() != '_')) name += is_word ? c : '_';
    }
    return name;
}

inline Bounds bounds_with(const Algorithm& algorithm, const char* faults, std::uint32_t clients = 2,
                          std::uint32_t rounds = 1, std::uint32_t attempts = 3) {
    Bounds bounds = bounds_for(algorithm);
    bounds.clients = clients;
    bounds.rounds = rounds;
    bounds.attempts = attempts;
    bounds.faults = parse_faults(faults);
    return bounds;
}

inline SearchResult search(const Algorithm& algorithm, const Bounds& bounds,
                           std::uint32_t threads = 1) {
    SearchLimits limits;
    limits.threads = threads;
    return search_exhaustively(algorithm, bounds, limits, kGoOn, [](const SearchProgress&) {});
}

inline SearchResult search(const char* algorithm, const char* faults, std::uint32_t clients = 2,
                           std::uint32_t rounds = 1, std::uint32_t attempts = 3) {
    const Algorithm& lock = *algorithm_named(algorithm);
    return search(lock, bounds_with(lock, faults, clients, rounds, attempts));
}

}  // namespace locklab
