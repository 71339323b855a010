// A run, given by its start and its steps.
#pragma once

#include <array>
#include <vector>

#include "harness/explore/rules.h"

namespace locklab {

struct Path {
    /// How far each client's wall clock is off when it begins, in milliseconds.
    std::array<std::int16_t, Bounds::kMostClients> clocks{};
    std::vector<Step> steps;
    TokenStyle tokens = TokenStyle::same_head;
};

/// A path that begins in `start` and has no steps yet.
inline Path path_from(const Rules& rules, const State& start) {
    Path path;
    path.tokens = rules.bounds().tokens;
    for (std::uint32_t i = 0; i < rules.bounds().clients; ++i) {
        path.clocks[i] = rules.client_table().state(start.clients[i]).clock;
    }
    return path;
}

}  // namespace locklab
