// A search for `explore --json`: the verdict, its proofs, and its witness.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/interval.h"
#include "harness/play/explored.h"
#include "harness/suite/search_row.h"

namespace locklab {

/// A search and its result.
struct SearchedRow {
    SearchRow search;
    Verdict verdict = Verdict::unknown;
    bool exhausted = false;
    std::uint64_t states = 0;
    std::uint64_t steps = 0;
    std::uint64_t depth = 0;
    std::uint64_t digest = 0;
    double seconds = 0;
};

/// A set of faults, the searches for it, and their results.
struct ProofRow {
    std::string faults;
    Verdict verdict = Verdict::unknown;
    bool vacuous = false;
    std::vector<std::string> missing;
    std::string why_unknown;
    CoverageRow coverage;
    std::vector<SearchedRow> searches;
    std::optional<std::vector<SearchedRow>> deepened;  ///< searches that went deeper by themselves
    std::optional<std::uint64_t> states_spent;         ///< by both
};

struct OddsRow {
    bool complete = false;
    std::string why_not;  ///< the only field if the probability is not complete
    double violation = 0;
    double schedules = 0;
    double violated_schedules = 0;
    std::uint64_t states = 0;
    std::uint64_t steps = 0;
    std::vector<double> along_witness;
    std::optional<std::int64_t> inevitable_after_step;
};

struct OrphanedRow {
    Duration longest{0};
    Duration ttl{0};
    bool at_most = false;
    std::string witness;
    std::size_t witness_steps = 0;
    std::string replay;
};

struct FalseRefusalsRow {
    std::uint64_t count = 0;
    std::uint64_t of_own = 0;
    std::uint64_t of_nobodys = 0;
    std::string witness;
    std::size_t witness_steps = 0;
    std::string replay;
};

/// In addition to a violation, a client that is stuck.
struct StuckRow {
    std::string client;
    std::string witness;
    std::size_t witness_steps = 0;
    std::string replay;
};

struct ExploredRow {
    std::string algorithm;
    SearchRow search;
    std::string faults;
    std::string lengths;
    std::optional<Duration> latency;  ///< of each message, if it takes time
    std::string strategy;
    std::optional<std::uint64_t> seed;
    Verdict verdict = Verdict::unknown;
    bool exhausted = false;
    std::optional<std::uint64_t> schedules;
    std::optional<std::uint64_t> violated_schedules;
    std::optional<Rate> violated_share;
    std::optional<OddsRow> probability;
    std::uint64_t steps = 0;
    std::uint64_t states = 0;
    std::uint64_t depth = 0;
    double seconds = 0;
    std::uint64_t memory_bytes = 0;
    std::uint64_t digest = 0;
    Duration longest_orphan{0};
    std::optional<OrphanedRow> orphaned;
    std::optional<FalseRefusalsRow> false_refusals;
    std::optional<bool> counts_on_waiters;  ///< true, or nothing
    std::optional<Duration> wait_without_fault;
    std::optional<bool> looks_for_stuck;      ///< false, or nothing
    std::optional<std::string> stuck_client;  ///< if the verdict is stuck
    std::optional<StuckRow> stuck_too;
    std::optional<CoverageRow> coverage;
    std::optional<bool> vacuous;
    std::optional<std::vector<ProofRow>> proofs;
    std::string why_unknown;
    std::string witness;  ///< its file; the other fields describe it
    std::string cause;
    std::optional<std::size_t> witness_steps;
    std::optional<std::size_t> witness_faults;
    std::optional<bool> proved_shortest;
    std::optional<std::size_t> shrunk_from_steps;
    std::optional<std::string> replay;
};

ExploredRow explored_row(const Explored& explored);

nlohmann::ordered_json to_json(const ExploredRow& row);

}  // namespace locklab
