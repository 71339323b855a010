// Findings of the oracles besides the verdict, in many runs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "harness/check/oracle.h"

namespace locklab {

class OracleTally {
public:
    struct Sum {
        OracleCount count;
        std::uint64_t runs = 0;            ///< runs that had something to look at
        std::uint64_t found_in = 0;        ///< runs with a finding
        std::optional<std::uint64_t> run;  ///< the first run with a finding
    };

    void add(std::uint64_t run, const Judgement& judgement, Duration orphan_limit);

    const Sum& of(Oracle oracle) const { return sums_[static_cast<std::size_t>(oracle)]; }
    /// Whether the clocks of all runs were exact.
    bool has_exact_clocks() const { return exact_clocks_; }
    /// violated if something was found; else holds, or not seen if runs were few; unknown if there
    /// was nothing to look at. Nothing: the oracle is a column here, and no verdict.
    std::optional<Verdict> verdict(const OracleRow& row) const;

    /// Most commands that clients sent in one second of a run, and that run.
    std::uint64_t busiest_second() const { return busiest_; }
    std::uint64_t busiest_run() const { return busiest_run_; }

private:
    std::array<Sum, kOracles.size()> sums_;
    bool exact_clocks_ = true;
    std::uint64_t busiest_ = 0;
    std::uint64_t busiest_run_ = 0;
};

}  // namespace locklab
