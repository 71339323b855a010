// Pairs of acquire and release of one driver process, one after another. Times come from its
// answers, by the process's own clock: so the harness' part, the way of a line to the process and
// back, is not counted.
#pragma once

#include <vector>

#include "harness/foreign/team.h"

namespace locklab {

/// Times of pairs, in microseconds.
class PairTimes {
public:
    void add(double us) {
        all_.push_back(us);
        sum_ += us;
    }
    std::size_t count() const { return all_.size(); }
    /// The percentile `p` (0 to 1); 0 if there are no pairs.
    double percentile_us(double p) const;
    /// Pairs per second if nothing is between them; 0 if there are none.
    double per_s() const;

private:
    std::vector<double> all_;
    double sum_ = 0;
};

class DriverPairs {
public:
    /// Uses the team's first process, which is open.
    explicit DriverPairs(Team& team) : driver_(team.driver(0)) {}

    /// Runs at least one pair. Throws DriverTrouble, also if the lock, which is free, is not
    /// granted or not released.
    void run_for(Duration window, PairTimes& times);

private:
    double pair_us();
    DriverAnswer ask(DriverOp op, const nlohmann::ordered_json& more = nullptr);

    Driver& driver_;
};

}  // namespace locklab
