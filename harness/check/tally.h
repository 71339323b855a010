// Many runs of one cell (one algorithm under one set of faults), added up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/check/interval.h"
#include "harness/check/judge.h"
#include "harness/check/run_bound.h"

namespace locklab {

/// Nearest-rank percentiles: each is a wait that occurred. Zero if no client waited.
struct WaitPercentiles {
    Duration p50{0};
    Duration p99{0};
    Duration p999{0};
    Duration max{0};
};

/// Equal judgements, added in the same order, give the same bits.
class Tally {
public:
    /// A run with an orphan wait of at least `orphan_limit` counts as stuck until the TTL. Zero:
    /// not judged.
    explicit Tally(Duration orphan_limit = Duration::zero()) : orphan_limit_(orphan_limit) {}

    void add(const Judgement& judgement) { add(judgement, orphan_limit_); }
    /// The same for a run with its own limit.
    void add(const Judgement& judgement, Duration orphan_limit);

    /// `violated` if any run was, else `stuck`; `unknown` if there was no grant at all; else
    /// `holds`, or `not_seen` if there are too few runs for that.
    Verdict verdict() const;
    /// For a clean verdict: the greatest share of runs that may still go wrong (run_bound.h). Runs
    /// that show nothing do not count.
    double bound() const { return run_bound(runs() - unknown_runs_); }

    std::uint64_t runs() const { return overlaps_of_runs_.size(); }
    std::uint64_t violated_runs() const { return violated_runs_; }
    std::uint64_t stuck_runs() const { return stuck_runs_; }
    std::uint64_t stuck_until_ttl_runs() const { return stuck_until_ttl_runs_; }
    std::uint64_t unknown_runs() const { return unknown_runs_; }
    std::uint64_t grants() const { return grants_; }
    std::uint64_t overlaps() const { return overlaps_; }
    std::uint64_t lost_updates() const { return lost_updates_; }
    std::uint64_t fence_inversions() const { return fence_inversions_; }
    std::uint64_t unknown_answers() const { return unknown_answers_; }
    /// Error replies to clients, tries that ended with one, and the first error, to be shown.
    std::uint64_t error_answers() const { return error_answers_; }
    std::uint64_t failed_tries() const { return failed_tries_; }
    const std::string& first_error() const { return first_error_; }
    const CauseCounts& causes() const { return causes_; }
    /// Violations whose causes were not looked for.
    std::uint64_t only_counted() const { return only_counted_; }
    /// Added up; the longest delay of all, without its grant.
    const Notices& notices() const { return notices_; }
    /// The longest wait for a lock that no live client held.
    Duration longest_orphan_wait() const { return longest_orphan_wait_; }
    /// Added up; the first one is that of the first run that had any.
    const Refusals& refusals() const { return refusals_; }

    std::uint64_t writes() const { return writes_; }
    std::uint64_t erased_writes() const { return erased_writes_; }
    /// Reads and writes that the resource refused, because a newer fencing token was shown before.
    std::uint64_t denied() const { return denied_; }

    Rate overlaps_per_1000_grants() const;
    Rate erased_per_1000_writes() const;
    /// The share of runs that were violated in any way.
    Rate violated_share() const { return share_interval(violated_runs_, runs()); }
    /// Grants over the summed time of the runs; 0 if no time passed.
    double throughput_per_s() const;
    double commands_per_grant() const;
    /// Jain's fairness index over the clients that lived to the end: 1 if all had equally many
    /// grants, 1/n if one had all. The mean over the runs with a grant to such a client.
    double jain() const;
    WaitPercentiles waits() const;

private:
    Duration orphan_limit_;
    std::vector<RunCount> overlaps_of_runs_;
    std::vector<RunCount> erased_of_runs_;
    std::vector<Duration> waits_;
    std::uint64_t violated_runs_ = 0;
    std::uint64_t stuck_runs_ = 0;
    std::uint64_t stuck_until_ttl_runs_ = 0;
    Duration longest_orphan_wait_{0};
    std::uint64_t unknown_runs_ = 0;
    std::uint64_t grants_ = 0;
    std::uint64_t overlaps_ = 0;
    std::uint64_t lost_updates_ = 0;
    std::uint64_t fence_inversions_ = 0;
    std::uint64_t unknown_answers_ = 0;
    std::uint64_t error_answers_ = 0;
    std::uint64_t failed_tries_ = 0;
    std::string first_error_;
    std::uint64_t commands_ = 0;
    std::uint64_t writes_ = 0;
    std::uint64_t erased_writes_ = 0;
    std::uint64_t denied_ = 0;
    CauseCounts causes_;
    std::uint64_t only_counted_ = 0;
    Notices notices_;
    Refusals refusals_;
    Duration duration_{0};
    double jain_sum_ = 0;
    std::uint64_t jain_runs_ = 0;
};

}  // namespace locklab
