// A request that cannot be fulfilled, explained in words that help.
#pragma once

#include <stdexcept>

namespace locklab {

/// Bad usage or bad input. `what()` is one sentence that says what would be right.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace locklab
