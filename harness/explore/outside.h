// Whether a lock keeps something outside of its object, or uses chance or clocks that are not its
// client's. Repeated runs show it: each client alone, at once; and the whole run later, since a
// static variable may change slowly, and the machine's clock has moved on by then. A change after
// the last check goes unseen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/history.h"
#include "harness/core/run_spec.h"

namespace locklab {

/// Differs for runs that differ in what was sent, when, or with which outcome.
std::uint64_t digest_of(const History& history);

class OutsideWatch {
public:
    /// Makes a few simulated runs in which the lock's clients contend, without faults and with
    /// client faults.
    explicit OutsideWatch(const Algorithm& algorithm);

    /// Why no run of this lock shows anything, as half a sentence; empty: no reason so far.
    const std::string& why() const { return why_; }
    /// The same, checked again later: repeats the runs of the constructor, which must give equal
    /// digests.
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

/// why() of a new OutsideWatch.
std::string keeps_outside(const Algorithm& algorithm);

/// The reason for `unknown` if run `run` differs from what it was before.
std::string why_another_now(std::uint64_t run);

}  // namespace locklab
