// Figures from repetitions, without assumptions on their distribution.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace locklab {

struct Median {
    double value = 0;
    /// 95 % interval of the median by order statistics (Hollander and Wolfe, Nonparametric
    /// Statistical Methods, ch. 3): from the k-th smallest to the k-th largest, with the greatest k
    /// that leaves out at most 5 %. None below six values.
    std::optional<double> low;
    std::optional<double> high;
    std::size_t n = 0;
    /// What it is the median of, in the order in which it was measured.
    std::vector<double> values = {};
};

/// `values` must not be empty.
Median median_of(std::vector<double> values);

/// What a ratio shows: its interval, as printed, is below or above 1, or no difference is resolved.
enum class Difference { unresolved, less, more };
Difference difference_of(const Median& ratio);

/// The smallest value that at least the share `p` of the sorted `values` does not exceed (nearest
/// rank).
double percentile(const std::vector<double>& values, double p);

/// Jain's index of fairness: 1 if all have the same, 1/n if one has all; 1 if no client has any.
double jain_index(const std::vector<double>& shares);

}  // namespace locklab
