// Whether a lock keeps something outside of its object, or looks at chance or clocks that are not
// its client's. Runs tell that are made again: each client alone, at once; and the whole run later,
// for a static variable may change slowly, and the machine's clock shows another time by then. What
// changes after the last look nobody sees.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/history.h"
#include "harness/core/run_spec.h"

namespace locklab {

/// Of two runs that differ in what was sent, or when, or in what came of it, these differ.
std::uint64_t digest_of(const History& history);

class OutsideWatch {
public:
    /// A few simulated runs, in which the lock's clients contend, without faults and with theirs.
    explicit OutsideWatch(const Algorithm& algorithm);

    /// Why no run of it shows anything, as half a sentence; empty: nothing speaks against it yet.
    const std::string& why() const { return why_; }
    /// The same, once more after something was made of its runs: those of the beginning are made
    /// again, and are to be what they were.
    std::string why_now() const;

private:
    struct Seen {
        FaultBudget budget;
        std::uint64_t run;
        std::uint64_t digest;
    };
    RunSpec spec_of(const FaultBudget& budget) const;

    const Algorithm& algorithm_;
    std::string why_;
    std::vector<Seen> seen_;
};

/// The first of both.
std::string keeps_outside(const Algorithm& algorithm);

/// Why nothing is known where run `run` is not what it was before.
std::string why_another_now(std::uint64_t run);

}  // namespace locklab
