// Polling drowns a story. What a client does again and again, with the same result, is found
// here, so that a timeline can show it once and count the rest.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

struct Fold {
    std::size_t count = 0;  ///< of repetitions, beside the one that is shown
    Instant since;
    bool background = false;  ///< renewals, and not tries
    bool unanswered = false;  ///< nobody answered these tries
};

struct Folds {
    std::vector<bool> hidden;           ///< for each event: it belongs to a repetition
    std::map<std::size_t, Fold> folds;  ///< by the last hidden event of each
};

/// Such as "3 more tries, refused each time, since 1.5 s".
std::string to_text(const Fold& fold);

Folds fold_repeats(const History& history);

}  // namespace locklab
