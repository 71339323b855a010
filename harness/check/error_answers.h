// What servers answered with errors in one run. An error is neither a refusal nor a grant, so
// whoever reads a verdict is told of it.
#pragma once

#include <cstdint>
#include <string>

#include "harness/core/history.h"

namespace locklab {

struct ErrorAnswers {
    std::uint64_t answers = 0;  ///< errors that clients were told
    std::uint64_t tries = 0;    ///< that ended with an error, neither refused nor granted
    std::string first;          ///< the first error, to be shown; empty if there is none
    /// The first that is the server's own doing (READONLY, OOM, ...), to be shown; or empty.
    std::string servers;
};

ErrorAnswers error_answers(const History& history);

}  // namespace locklab
