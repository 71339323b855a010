// Whether a lock that nobody alive holds can be had by somebody who comes anew, to a server as it
// was left, and tries alone for as long as it takes. Where not, others who wait may have to try
// first: that is PlainRun's question.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "harness/explore/rules.h"

namespace locklab {

class OrphanProbe {
public:
    OrphanProbe(const Algorithm& algorithm, Rules& rules);

    /// How long whoever comes now waits for the lock; nothing: for ever.
    std::optional<Duration> wait(const State& state);
    void forget() { known_.clear(); }

private:
    std::optional<Duration> try_for(const State& state);

    const Algorithm& algorithm_;
    Rules& rules_;
    Bounds patient_;
    /// The time, whether the oracle's mutex is free, and the data of each server.
    using Key = std::tuple<std::uint32_t, bool, std::vector<std::uint64_t>>;
    std::map<Key, std::optional<Duration>> known_;
};

}  // namespace locklab
