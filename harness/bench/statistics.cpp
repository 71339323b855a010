#include "harness/bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "harness/core/assert.h"

namespace locklab {

namespace {

constexpr double kLeftOut = 0.05;

/// How many of the smallest and of the largest of `n` values lie outside of the interval; nothing
/// if even the full range leaves out too much.
std::optional<std::size_t> outside(std::size_t n) {
    double term = std::pow(0.5, static_cast<double>(n));  // P(k of n are below the median)
    double tail = 0;
    std::optional<std::size_t> most;
    for (std::size_t k = 0; k < n / 2; ++k) {
        tail += term;
        if (2 * tail > kLeftOut) break;
        most = k;
        term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    }
    return most;
}

/// Rounds to the three digits shown: a ratio of 1.0003 reads as 1.
double as_printed(double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.3g", value);
    return std::strtod(digits, nullptr);
}

}  // namespace

Median median_of(std::vector<double> values) {
    LOCKLAB_ASSERT(!values.empty());
    Median median;
    median.values = values;
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    median.n = n;
    median.value = (values[(n - 1) / 2] + values[n / 2]) / 2;
    if (const std::optional<std::size_t> k = outside(n)) {
        median.low = values[*k];
        median.high = values[n - 1 - *k];
    }
    return median;
}

Difference difference_of(const Median& ratio) {
    if (!ratio.low) return Difference::unresolved;
    if (as_printed(*ratio.high) < 1) return Difference::less;
    return as_printed(*ratio.low) > 1 ? Difference::more : Difference::unresolved;
}

double percentile(const std::vector<double>& values, double p) {
    if (values.empty()) return 0;
    const double rank = std::ceil(p * static_cast<double>(values.size()));
    const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
    return values[std::min(index, values.size() - 1)];
}

double jain_index(const std::vector<double>& shares) {
    double sum = 0;
    double squares = 0;
    for (const double share : shares) {
        sum += share;
        squares += share * share;
    }
    return squares > 0 ? sum * sum / (static_cast<double>(shares.size()) * squares) : 1;
}

}  // namespace locklab
