// 95 % intervals from runs. The run is the unit that is independent of others; grants of one run
// are not, for they share its fault plan and its state.
#pragma once

#include <cstdint>
#include <span>

namespace locklab {

/// An estimate with its 95 % interval. `high` is infinite where nothing bounds it.
struct Rate {
    double value = 0;
    double low = 0;
    double high = 0;
};

/// What one run gave: how many events (overlaps) out of how many chances (grants).
struct RunCount {
    std::uint64_t events = 0;
    std::uint64_t chances = 0;
};

/// The share of `n` runs of which `k` had something: Wilson's score interval, of two sides, also
/// for none; for no runs at all, from 0 to 1.
Rate share_interval(std::uint64_t k, std::uint64_t n);

/// Events per chance. Runs without a chance do not count.
///
/// The interval joins two, from the lower of their lower ends to the higher of their upper ends, so
/// that it covers 95 % or more. One is a cluster bootstrap (Davison and Hinkley, Bootstrap Methods
/// and their Application, ch. 2 and 3): runs are drawn with replacement 2,000 times, from a fixed
/// seed, and it lies between the 2.5 % and the 97.5 % percentile of the ratios. Where few runs have
/// events that is too narrow, and its lower end is 0. The other is what the share of such runs
/// leaves open (Wilson), each with as many events as those that were seen. It never reaches 0 once
/// an event was seen. No events at all: nothing is known of how many such a run would have, so
/// every chance of it is taken for lost, and the share's upper end is the rate's. One run alone
/// bounds nothing from above.
Rate ratio_interval(std::span<const RunCount> runs);

}  // namespace locklab
