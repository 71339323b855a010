// Pairs of acquire and release of one driver process, one after another. A pair takes what its
// answers say, by the process's own clock: the way of a line to the process and back, which is the
// harness', is not counted.
#pragma once

#include <vector>

#include "harness/foreign/team.h"

namespace locklab {

/// What pairs took, in microseconds.
class PairTimes {
public:
    void add(double us) {
        all_.push_back(us);
        sum_ += us;
    }
    std::size_t count() const { return all_.size(); }
    /// Of the share `p`; 0 where there are none.
    double percentile_us(double p) const;
    /// One after another, with nothing between them; 0 where there are none.
    double per_s() const;

private:
    std::vector<double> all_;
    double sum_ = 0;
};

class DriverPairs {
public:
    /// Of the team's first process, which is open.
    explicit DriverPairs(Team& team) : driver_(team.driver(0)) {}

    /// At least one pair. Throws DriverTrouble, also where the lock, which is free, is not granted
    /// or not released.
    void run_for(Duration window, PairTimes& times);

private:
    double pair_us();
    DriverAnswer ask(DriverOp op, const nlohmann::ordered_json& more = nullptr);

    Driver& driver_;
};

}  // namespace locklab
