// Summary of a suite: how much of it came out as expected.
#pragma once

#include <cstddef>
#include <string>

#include "harness/suite/suite.h"

namespace locklab {

struct Summary {
    /// Cells of one world.
    struct Cells {
        std::size_t all = 0;
        std::size_t as_claimed = 0;
        std::size_t not_seen = 0;  ///< of these: nothing went wrong, in too few runs for `holds`
    };
    Cells sim;
    Cells live;
    std::size_t contradicted = 0;  ///< cells that say the opposite of the declaration
    std::size_t plays = 0;
    std::size_t as_expected = 0;
    std::string unexpected;  ///< some lines for each unexpected result

    bool is_clean() const { return contradicted == 0 && as_expected == plays; }
};

Summary summarize(const SuiteResult& result);

/// Some lines. Parts that were not begun are not counted.
std::string counts_text(const Summary& summary);

}  // namespace locklab
