#include "harness/check/interval.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "harness/core/random_choices.h"

namespace locklab {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// The two-sided 95 % quantile of the normal distribution.
constexpr double kZ = 1.959964;

/// Resamples of the bootstrap, and its seed: equal runs give equal bits.
constexpr std::size_t kResamples = 2000;
constexpr std::uint64_t kSeed = 1;
/// How many of the resamples lie beyond each end.
constexpr std::size_t kTail = kResamples / 40;

/// Events per chance in each resample of the runs, drawn with replacement; sorted.
std::vector<double> resampled(const std::vector<RunCount>& runs) {
    RandomChoices random(kSeed);
    const auto n = static_cast<std::uint32_t>(runs.size());
    std::vector<double> ratios;
    for (std::size_t i = 0; i < kResamples; ++i) {
        std::uint64_t events = 0;
        std::uint64_t chances = 0;
        for (std::uint32_t drawn = 0; drawn < n; ++drawn) {
            const RunCount& run = runs[random.pick(ChoiceKind::workload, n)];
            events += run.events;
            chances += run.chances;
        }
        ratios.push_back(static_cast<double>(events) / static_cast<double>(chances));
    }
    std::sort(ratios.begin(), ratios.end());
    return ratios;
}

}  // namespace

Rate share_interval(std::uint64_t k, std::uint64_t n) {
    if (n == 0) return {0, 0, 1};
    const double runs = static_cast<double>(n);
    const double p = static_cast<double>(k) / runs;
    const double z2 = kZ * kZ;
    const double centre = p + z2 / (2 * runs);
    const double half = kZ * std::sqrt(p * (1 - p) / runs + z2 / (4 * runs * runs));
    const double scale = 1 + z2 / runs;
    const double low = k == 0 ? 0 : std::max(0.0, (centre - half) / scale);
    return {p, low, std::min(1.0, (centre + half) / scale)};
}

Rate ratio_interval(std::span<const RunCount> runs) {
    std::vector<RunCount> counted;
    std::uint64_t with_events = 0;
    std::uint64_t events = 0;
    std::uint64_t chances = 0;
    for (const RunCount& run : runs) {
        if (run.chances == 0) continue;
        counted.push_back(run);
        if (run.events > 0) ++with_events;
        events += run.events;
        chances += run.chances;
    }
    const std::uint64_t n = counted.size();
    if (n == 0) return {0, 0, kInfinity};
    if (with_events == 0) return {0, 0, share_interval(0, n).high};
    const double ratio = static_cast<double>(events) / static_cast<double>(chances);
    // The bounds of the share of such runs, assuming as many events in each as in those seen.
    const Rate share = share_interval(with_events, n);
    const double low = ratio * share.low / share.value;
    if (n == 1) return {ratio, low, kInfinity};
    const double high = ratio * share.high / share.value;
    const std::vector<double> ratios = resampled(counted);
    const double least = ratios[kTail];
    return {ratio, least > 0 ? std::min(least, low) : low,
            std::max(ratios[kResamples - 1 - kTail], high)};
}

}  // namespace locklab
