#include "harness/check/interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace locklab {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// The two-sided 95 % quantile of the normal distribution.
constexpr double kZ = 1.959964;

/// That of Student's t.
double student(std::uint64_t degrees) {
    constexpr std::array<double, 30> kTable{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                            2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                            2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                            2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
    if (degrees <= kTable.size()) return kTable[degrees - 1];
    // The first terms of its expansion in 1/degrees: within 0.003 from here on.
    return kZ + (kZ * kZ * kZ + kZ) / (4.0 * static_cast<double>(degrees));
}

}  // namespace

Rate share_interval(std::uint64_t k, std::uint64_t n) {
    if (n == 0) return {0, 0, 1};
    const double runs = static_cast<double>(n);
    if (k == 0) return {0, 0, std::min(1.0, 3 / runs)};
    const double p = static_cast<double>(k) / runs;
    const double z2 = kZ * kZ;
    const double centre = p + z2 / (2 * runs);
    const double half = kZ * std::sqrt(p * (1 - p) / runs + z2 / (4 * runs * runs));
    const double scale = 1 + z2 / runs;
    return {p, std::max(0.0, (centre - half) / scale), std::min(1.0, (centre + half) / scale)};
}

Rate ratio_interval(std::span<const RunCount> runs) {
    std::uint64_t n = 0;
    std::uint64_t with_events = 0;
    double events = 0;
    double chances = 0;
    for (const RunCount& run : runs) {
        if (run.chances == 0) continue;
        ++n;
        if (run.events > 0) ++with_events;
        events += static_cast<double>(run.events);
        chances += static_cast<double>(run.chances);
    }
    if (n == 0) return {0, 0, kInfinity};
    if (with_events == 0) return {0, 0, 3 / static_cast<double>(n)};
    const double ratio = events / chances;
    if (n == 1) return {ratio, 0, kInfinity};
    double squares = 0;
    for (const RunCount& run : runs) {
        const double residual =
            static_cast<double>(run.events) - ratio * static_cast<double>(run.chances);
        squares += residual * residual;
    }
    const double count = static_cast<double>(n);
    const double error = std::sqrt(count / (count - 1) * squares) / chances;
    const double half = student(n - 1) * error;
    const Rate share = share_interval(with_events, n);
    return {ratio, std::max(0.0, ratio - half),
            std::max(ratio + half, ratio * share.high / share.value)};
}

}  // namespace locklab
