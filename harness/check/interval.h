// 95 % intervals from runs. Runs are independent of each other; grants of one run are not, since
// they share its fault plan and its state.
#pragma once

#include <cstdint>
#include <span>

namespace locklab {

/// An estimate with its 95 % interval. `high` is infinite if nothing bounds it.
struct Rate {
    double value = 0;
    double low = 0;
    double high = 0;
};

/// One run: the number of events (overlaps), and of chances (grants).
struct RunCount {
    std::uint64_t events = 0;
    std::uint64_t chances = 0;
};

/// The share of `n` runs of which `k` had an event: Wilson's two-sided score interval, also for k =
/// 0; from 0 to 1 if there are no runs.
Rate share_interval(std::uint64_t k, std::uint64_t n);

/// Events per chance. Runs without a chance do not count.
///
/// The interval is the hull of two intervals, so that it covers at least 95 %. One is a cluster
/// bootstrap (Davison and Hinkley, Bootstrap Methods and their Application, ch. 2 and 3): runs are
/// drawn with replacement 2,000 times, from a fixed seed, and the interval lies between the 2.5 %
/// and the 97.5 % percentile of the ratios. If few runs have events it is too narrow, and its lower
/// end is 0. The other is Wilson's interval for the share of runs with events, assuming as many
/// events in each as in those that were seen. It never reaches 0 once an event was seen. Without
/// any events, it is unknown how many such a run would have, so every chance of such a run is
/// counted as an event: the share's upper end is the rate's. A single run gives no upper bound.
Rate ratio_interval(std::span<const RunCount> runs);

}  // namespace locklab
