// Thrown into a lock whose command cannot be sent; the message says why as half a sentence. As with
// any exception, the lock's run ends.
#pragma once

#include <stdexcept>

namespace locklab {

struct RefusedCommand final : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace locklab
