// One campaign cell while it fills: many runs of one lock under one fault budget, judged and
// counted in run order, with the shortest witness of what went wrong.
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

/// What a campaign keeps of one run after its history is judged.
struct RunReport {
    std::uint64_t run = 0;
    Judgement judgement;
    std::size_t events = 0;
    bool threw = false;        ///< the run's lock threw: see HistoryHead
    std::optional<Draw> draw;  ///< if the run is one of a swarm
    Duration lag{0};           ///< greatest lateness of the machine, in real time
    /// How many times each hazard struck.
    std::array<std::uint32_t, kHazards.size()> strikes{};
};

inline Duration orphan_limit(const RunSpec& spec) {
    return spec.options.ttl == Duration::zero() ? Duration::zero() : orphan_limit(spec.scale);
}

RunReport report_run(const History& history);

/// Why a run with one client shows nothing about mutual exclusion: half a sentence.
inline constexpr const char* kNobodyToExclude =
    "there was one client, and nobody that it could exclude";

class CampaignCount {
public:
    CampaignCount(const FaultBudget& budget, Duration orphan_limit)
        : budget_(budget), orphan_limit_(orphan_limit) {}
    /// For runs by `spec`. `expected`: the hazards that must strike, each in some run.
    CampaignCount(const RunSpec& spec, const FaultBudget& expected)
        : CampaignCount(expected, locklab::orphan_limit(spec)) {
        if (spec.workers() == 1) would_hold_vacuously(kNobodyToExclude);
    }

    void add(const RunReport& report);
    /// Makes the verdict unknown for this reason, whatever the runs show; no effect if `why` is
    /// empty.
    void show_nothing(const std::string& why) {
        if (shows_nothing_.empty()) shows_nothing_ = why;
    }
    /// A repetition of the witness's run. If it differs, the verdict is unknown.
    void see_witness_again(const RunReport& again);
    /// Counts a disturbed live run, which is otherwise left out.
    void leave_out_disturbed(const Disturbance& by = {});
    /// The campaign was interrupted, or could not run to its end, for this reason.
    void cut_short(const std::string& why = {});
    /// Why these runs would show nothing if they held, as half a sentence, or empty. For a foreign
    /// lock: no client was ever seen inside.
    void would_hold_vacuously(std::string why) { vacuous_ = std::move(why); }

    const Tally& tally() const { return tally_; }
    /// Findings besides the verdict.
    const OracleTally& oracles() const { return oracles_; }
    /// The greatest lateness of the machine in a run that counts.
    Duration worst_lag() const { return worst_lag_; }
    /// How many more clean runs bring what they leave open down to `bound`; 0 if something went
    /// wrong, or if more runs would not help.
    std::uint64_t runs_to(double bound) const;
    /// For a swarm: its runs by what was drawn for them. Else nothing.
    const std::optional<SwarmCount>& swarm() const { return swarm_; }
    bool complete() const { return complete_; }
    std::uint64_t disturbed_runs() const { return disturbed_runs_; }
    std::uint64_t disturbed_runs(Disturbance::Kind by) const {
        return disturbances_[static_cast<std::size_t>(by)].runs;
    }
    /// The first words of the server, or the system, about such a disturbance; may be empty.
    const std::string& words_of(Disturbance::Kind by) const {
        return disturbances_[static_cast<std::size_t>(by)].words;
    }
    std::uint64_t strikes(Hazard hazard) const {
        return strikes_[static_cast<std::size_t>(hazard)];
    }
    /// A hazard of the budget that struck in no run, so that nothing is known about it.
    std::optional<Hazard> never_struck() const;

    /// Unknown if a run shows nothing, whatever the others show. Else violated, or stuck, if any
    /// run was. Else holds, or not seen if runs were few; but unknown if the lock threw in some
    /// run, or if `holds` would be empty: no grant, a hazard that never struck, a campaign cut
    /// short, more runs disturbed than not, or a reason given to would_hold_vacuously().
    Verdict verdict() const;
    /// Why the verdict is unknown; empty otherwise.
    std::string why_unknown() const;
    /// What the lock threw in the first run that shows nothing for it, as a sentence.
    const std::string& threw() const { return threw_; }
    /// Why it made fewer runs than were asked for; empty: it made them all, or was interrupted.
    const std::string& why_cut_short() const { return why_cut_short_; }

    /// The number of the shortest run that shows the verdict; none if it holds.
    std::optional<std::uint64_t> witness() const;
    /// The number of the shortest run in which a try was refused falsely.
    std::optional<std::uint64_t> false_refusal() const;
    /// The clients that never got the lock in the shortest stuck run; nothing if no run was stuck.
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
    std::string threw_;          ///< the same, from the first run in which the lock threw
    std::string no_grant_;       ///< the same, from the first unknown run
    std::string why_cut_short_;
    std::string vacuous_;
    bool complete_ = true;
};

}  // namespace locklab
