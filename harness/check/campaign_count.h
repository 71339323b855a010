// One campaign cell as it fills: many runs of one lock under one fault budget, judged and
// counted in the order of their numbers, with the shortest witness of what went wrong.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/check/disturbance.h"
#include "harness/check/oracle_tally.h"
#include "harness/check/swarm_count.h"
#include "harness/check/tally.h"
#include "harness/core/fault.h"
#include "harness/core/run_spec.h"

namespace locklab {

/// What a campaign keeps of one run, once the history is judged and gone.
struct RunReport {
    std::uint64_t run = 0;
    Judgement judgement;
    std::size_t events = 0;
    bool threw = false;        ///< its lock did: see HistoryHead
    std::optional<Draw> draw;  ///< of a run of a swarm
    Duration lag{0};           ///< how late the machine was, at worst, where time is real
    /// How often each hazard struck.
    std::array<std::uint32_t, kHazards.size()> strikes{};
};

inline Duration orphan_limit(const RunSpec& spec) {
    return spec.options.ttl == Duration::zero() ? Duration::zero() : orphan_limit(spec.scale);
}

RunReport report_run(const History& history);

/// Why what one client did shows nothing of mutual exclusion: half a sentence.
inline constexpr const char* kNobodyToExclude =
    "there was one client, and nobody that it could exclude";

class CampaignCount {
public:
    CampaignCount(const FaultBudget& budget, Duration orphan_limit)
        : budget_(budget), orphan_limit_(orphan_limit) {}
    /// Of runs by `spec`. `expected`: what is to strike in them, each hazard in some run.
    CampaignCount(const RunSpec& spec, const FaultBudget& expected)
        : CampaignCount(expected, locklab::orphan_limit(spec)) {
        if (spec.workers() == 1) would_hold_vacuously(kNobodyToExclude);
    }

    void add(const RunReport& report);
    /// Whatever the runs show, nothing is known, for this reason; empty: there is none.
    void show_nothing(const std::string& why) {
        if (shows_nothing_.empty()) shows_nothing_ = why;
    }
    /// The run of the witness once more. Where it is not the same, nothing is known.
    void see_witness_again(const RunReport& again);
    /// A live run that was disturbed is not counted, but for this.
    void leave_out_disturbed(const Disturbance& by = {});
    /// The campaign was interrupted, or could not be run to its end, for this reason.
    void cut_short(const std::string& why = {});
    /// Why these runs would show nothing if they held, as half a sentence, or empty: of a lock that
    /// is not ours, that nobody was ever seen inside.
    void would_hold_vacuously(std::string why) { vacuous_ = std::move(why); }

    const Tally& tally() const { return tally_; }
    /// What was found beside the verdict.
    const OracleTally& oracles() const { return oracles_; }
    /// How late the machine was, at worst, in a run that counts.
    Duration worst_lag() const { return worst_lag_; }
    /// How many runs more it takes until `bound` is all that they leave open, if they are clean;
    /// none where something went wrong, or where more would not help.
    std::uint64_t runs_to(double bound) const;
    /// Of a swarm: its runs by what was drawn for them. Else nothing.
    const std::optional<SwarmCount>& swarm() const { return swarm_; }
    bool complete() const { return complete_; }
    std::uint64_t disturbed_runs() const { return disturbed_runs_; }
    std::uint64_t disturbed_runs(Disturbance::Kind by) const {
        return disturbances_[static_cast<std::size_t>(by)].runs;
    }
    /// What the server, or the system, said of these; the first words, or none.
    const std::string& words_of(Disturbance::Kind by) const {
        return disturbances_[static_cast<std::size_t>(by)].words;
    }
    std::uint64_t strikes(Hazard hazard) const {
        return strikes_[static_cast<std::size_t>(hazard)];
    }
    /// A hazard of the budget that struck in no run, so that nothing is known about it.
    std::optional<Hazard> never_struck() const;

    /// Unknown where a run shows nothing, whatever the others show. Else violated, or stuck, if any
    /// run was. Else holds, or not seen where runs were few, but unknown where the lock threw in
    /// some run, or where that would be empty: no grant, a hazard that never struck, a campaign
    /// that was cut short, more runs disturbed than not, and what would_hold_vacuously() was told.
    Verdict verdict() const;
    /// Why the verdict is unknown; empty otherwise.
    std::string why_unknown() const;

    /// The number of the shortest run that shows the verdict; none if it holds.
    std::optional<std::uint64_t> witness() const;
    /// The number of the shortest run in which a try was refused falsely.
    std::optional<std::uint64_t> false_refusal() const;
    /// Who never got the lock in the shortest run that was stuck; none if none was.
    struct Stuck {
        std::uint64_t run = 0;
        std::vector<ClientId> clients;
    };
    std::optional<Stuck> stuck() const;

private:
    struct Shortest {
        std::uint64_t run = 0;
        std::size_t events = 0;
        std::vector<ClientId> waiting;
    };

    struct Disturbed {
        std::uint64_t runs = 0;
        std::string words;
    };

    static void take(const RunReport& report, std::optional<Shortest>& shortest);
    std::string why_disturbed() const;

    Duration orphan_limit_of(const RunReport& report) const;

    FaultBudget budget_;
    Duration orphan_limit_;
    Tally tally_;
    OracleTally oracles_;
    Duration worst_lag_{0};
    std::optional<SwarmCount> swarm_;
    std::array<std::uint64_t, kHazards.size()> strikes_{};
    std::optional<Shortest> violated_;
    std::optional<Shortest> stuck_;
    std::optional<Shortest> falsely_refused_;
    std::array<Disturbed, kDisturbances.size()> disturbances_;
    std::uint64_t disturbed_runs_ = 0;
    std::string shows_nothing_;  ///< why nothing is known: half a sentence
    std::string threw_;          ///< the same, of the first run in which the lock threw
    std::string no_grant_;       ///< the same, of the first run that was unknown
    std::string why_cut_short_;
    std::string vacuous_;
    bool complete_ = true;
};

}  // namespace locklab
