// One campaign cell as it fills: many runs of one lock under one fault budget, judged and
// counted in the order of their numbers, with the shortest witness of what went wrong.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/check/tally.h"
#include "harness/core/fault.h"

namespace locklab {

/// What a campaign keeps of one run, once the history is judged and gone.
struct RunReport {
    std::uint64_t run = 0;
    Judgement judgement;
    std::size_t events = 0;
    /// How often each hazard struck.
    std::array<std::uint32_t, kHazards.size()> strikes{};
    /// An answer was Unknown though no fault had struck its command or the server: the machine
    /// was too slow, and what the run shows is not what it was meant to show. Live only.
    bool disturbed = false;
};

RunReport report_run(const History& history);

class CampaignCount {
public:
    CampaignCount(const FaultBudget& budget, Duration orphan_limit)
        : budget_(budget), tally_(orphan_limit) {}

    void add(const RunReport& report);
    /// The campaign was interrupted, or could not be run to its end.
    void cut_short() { complete_ = false; }

    const Tally& tally() const { return tally_; }
    bool complete() const { return complete_; }
    std::uint64_t strikes(Hazard hazard) const {
        return strikes_[static_cast<std::size_t>(hazard)];
    }
    /// A hazard of the budget that struck in no run, so that nothing is known about it.
    std::optional<Hazard> never_struck() const;

    /// Violated, or stuck, if any run was. Else holds, but unknown where that would be empty:
    /// no grant, a hazard that never struck, a campaign that was cut short.
    Verdict verdict() const;
    /// Why the verdict is unknown; empty otherwise.
    std::string why_unknown() const;

    /// The number of the shortest run that shows the verdict; none if it holds.
    std::optional<std::uint64_t> witness() const;

private:
    struct Shortest {
        std::uint64_t run = 0;
        std::size_t events = 0;
    };

    FaultBudget budget_;
    Tally tally_;
    std::array<std::uint64_t, kHazards.size()> strikes_{};
    std::optional<Shortest> violated_;
    std::optional<Shortest> stuck_;
    bool complete_ = true;
};

}  // namespace locklab
