// The keys of live runs: all under one random prefix, so that they meet nobody else's, and so
// that they, and only they, can be deleted.
#pragma once

#include <cstdint>
#include <string>

#include "harness/core/names.h"
#include "harness/live/endpoint.h"
#include "harness/live/random_hex.h"

namespace locklab {

class RunKeys {
public:
    RunKeys();

    /// "locklab:<hex>:<n>", unlike any before.
    Key fresh_key();

    /// Deletes every key whose name contains the prefix, also those that scripts made. Returns
    /// one sentence if it could not, and an empty string if none is left.
    std::string clear(const Endpoint& endpoint) const;

private:
    std::string prefix_;
    std::uint64_t given_ = 0;
};

}  // namespace locklab
