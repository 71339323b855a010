// The keys of live runs: all under one random prefix, so that they never collide with others, and
// so that exactly they can be deleted.
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

    /// Writes the prefix down on a server that outlives this process, so that the next run finds
    /// what this one leaves if it is killed (see run_registry.h). Call it before keys are used
    /// there.
    void announce(const Endpoint& endpoint) const;

    /// Deletes every key whose name contains the prefix, also those that scripts made, and what
    /// announce() wrote. Returns one sentence if it could not within a minute, and an empty string
    /// if none is left.
    std::string clear(const Endpoint& endpoint) const;

private:
    std::string prefix_;
    std::uint64_t given_ = 0;
};

}  // namespace locklab
