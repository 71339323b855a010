// Polling drowns a story. This finds what a client does again and again with the same result, so
// that a timeline can show it once and count the rest.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

struct Fold {
    std::size_t count = 0;  ///< repetitions, not counting the one that is shown
    Instant since;
    bool background = false;  ///< renewals, not tries
    bool unanswered = false;  ///< these tries had no answer
    bool failed = false;      ///< these tries ended with an error
};

struct Folds {
    std::vector<bool> hidden;           ///< by event: whether it belongs to a repetition
    std::map<std::size_t, Fold> folds;  ///< by the last hidden event of each
};

/// Such as "3 more tries, refused each time, since 1.5 s".
std::string to_text(const Fold& fold);

Folds fold_repeats(const History& history);

}  // namespace locklab
