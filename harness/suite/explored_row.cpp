#include "harness/suite/explored_row.h"

#include <algorithm>

#include "harness/check/interval.h"
#include "harness/core/fault_text.h"
#include "harness/play/proof_text.h"
#include "harness/record/check_fields.h"

namespace locklab {

template <class Io, RowOf<SearchedRow> Row>
void fields(Io& io, Row& row) {
    fields(io, row.search);
    io("verdict", row.verdict);
    io("exhausted", row.exhausted);
    io("states", row.states);
    io("steps", row.steps);
    io("depth", row.depth);
    io("digest", row.digest);
    io("seconds", row.seconds);
}

template <class Io, RowOf<ProofRow> Row>
void fields(Io& io, Row& row) {
    io("faults", row.faults);
    io("verdict", row.verdict);
    io("vacuous", row.vacuous);
    io("missing", row.missing);
    io.or_null("why_unknown", row.why_unknown);
    io("coverage", row.coverage);
    io("searches", row.searches);
    io.if_any("deepened", row.deepened);
    io.if_any("states_spent", row.states_spent);
}

template <class Io, RowOf<OddsRow> Row>
void fields(Io& io, Row& row) {
    io("complete", row.complete);
    if (!row.complete) return io("why_not", row.why_not);
    io("violation", row.violation);
    io("schedules", row.schedules);
    io("violated_schedules", row.violated_schedules);
    io("states", row.states);
    io("steps", row.steps);
    io("along_witness", row.along_witness);
    io("inevitable_after_step", row.inevitable_after_step);
}

template <class Io, RowOf<OrphanedRow> Row>
void fields(Io& io, Row& row) {
    io("longest_us", row.longest);
    io("ttl_us", row.ttl);
    io("at_most", row.at_most);
    io("witness", row.witness);
    io("witness_steps", row.witness_steps);
    io("replay", row.replay);
}

template <class Io, RowOf<FalseRefusalsRow> Row>
void fields(Io& io, Row& row) {
    io("count", row.count);
    io("of_own", row.of_own);
    io("of_nobodys", row.of_nobodys);
    io("witness", row.witness);
    io("witness_steps", row.witness_steps);
    io("replay", row.replay);
}

template <class Io, RowOf<StuckRow> Row>
void fields(Io& io, Row& row) {
    io("client", row.client);
    io("witness", row.witness);
    io("witness_steps", row.witness_steps);
    io("replay", row.replay);
}

template <class Io, RowOf<ExploredRow> Row>
void fields(Io& io, Row& row) {
    io("algorithm", row.algorithm);
    io("clients", row.search.clients);
    io("rounds", row.search.rounds);
    io("attempts", row.search.attempts);
    io("faults", row.faults);
    io("lengths", row.lengths);
    io.if_any("latency_us", row.latency);
    io("strategy", row.strategy);
    io("seed", row.seed);
    io("verdict", row.verdict);
    io("exhausted", row.exhausted);
    io("schedules", row.schedules);
    io.if_any("violated_schedules", row.violated_schedules);
    io.if_any("violated_share", row.violated_share);
    io.if_any("probability", row.probability);
    io("steps", row.steps);
    io("states", row.states);
    io("depth", row.depth);
    io("seconds", row.seconds);
    io("memory_bytes", row.memory_bytes);
    io("digest", row.digest);
    io("longest_orphan_us", row.longest_orphan);
    io("orphaned", row.orphaned);
    io("false_refusals", row.false_refusals);
    io.if_any("counts_on_waiters", row.counts_on_waiters);
    io.if_any("wait_without_fault_us", row.wait_without_fault);
    io.if_any("looks_for_stuck", row.looks_for_stuck);
    io.if_any("stuck_client", row.stuck_client);
    io.if_any("stuck_too", row.stuck_too);
    io.if_any("coverage", row.coverage);
    io.if_any("vacuous", row.vacuous);
    io.if_any("proofs", row.proofs);
    io.or_null("why_unknown", row.why_unknown);
    io.or_null("witness", row.witness);
    io.or_null("cause", row.cause);
    io.if_any("witness_steps", row.witness_steps);
    io.if_any("witness_faults", row.witness_faults);
    io.if_any("proved_shortest", row.proved_shortest);
    io.if_any("shrunk_from_steps", row.shrunk_from_steps);
    io.if_any("replay", row.replay);
}

namespace {

ProofRow proof_row(const Proof& proof) {
    ProofRow row{to_string(proof.faults),
                 proof.verdict,
                 proof.vacuous,
                 proof.missing,
                 proof.why_unknown,
                 coverage_row(proof.coverage),
                 {},
                 {},
                 {}};
    const auto shown = [](const Searched& searched) {
        const SearchResult& its = searched.result;
        return SearchedRow{search_row(searched.bounds),
                           its.verdict,
                           its.exhausted,
                           its.states,
                           its.steps,
                           its.depth,
                           its.digest,
                           searched.seconds};
    };
    for (const Searched& searched : proof.searches) row.searches.push_back(shown(searched));
    if (proof.deeper.empty()) return row;
    row.deepened.emplace();
    for (const Searched& searched : proof.deeper) row.deepened->push_back(shown(searched));
    row.states_spent = proof.states_spent;
    return row;
}

OddsRow odds_row(const Odds& odds) {
    OddsRow row{
        odds.complete, odds.why_not, odds.violation, odds.schedules, odds.violated_schedules,
        odds.states,   odds.steps,   odds.along,     std::nullopt};
    if (odds.inevitable_after >= 0) row.inevitable_after_step = odds.inevitable_after;
    return row;
}

void take_proofs(const Explored& explored, ExploredRow& row) {
    if (explored.exercised || !explored.proofs.empty()) {
        row.coverage = coverage_row(coverage_of(explored));
    }
    if (explored.proofs.empty()) return;
    row.vacuous = std::any_of(explored.proofs.begin(), explored.proofs.end(),
                              [](const Proof& proof) { return proof.vacuous; });
    row.proofs.emplace();
    for (const Proof& proof : explored.proofs) row.proofs->push_back(proof_row(proof));
}

void take_findings(const Explored& explored, ExploredRow& row) {
    row.longest_orphan = explored.result.longest_orphan;
    if (explored.result.counts_on_waiters) row.counts_on_waiters = true;
    const Duration wait = wait_without_fault(explored);
    if (wait > Duration::zero()) row.wait_without_fault = wait;
    if (explored.seed) row.looks_for_stuck = false;
    const auto& stuck = explored.result.stuck;
    const bool is_stuck = explored.result.verdict == Verdict::stuck && stuck;
    if (is_stuck) row.stuck_client = stuck_name(stuck->client, explored.bounds);
    if (const auto& found = explored.stuck) {
        row.stuck_too = {stuck_name(stuck_too(explored)->result.stuck->client, found->bounds),
                         found->trace, found->witness.steps.size(), found->replay};
    }
    if (const auto& found = explored.orphaned) {
        row.orphaned = {explored.result.longest_orphan, explored.bounds.options.ttl,
                        explored.result.exhausted,      found->trace,
                        found->witness.steps.size(),    found->replay};
    }
    if (const auto& found = explored.falsely_refused) {
        const FalseRefusals sum = false_refusals_of(explored);
        row.false_refusals = {
            sum.count(),  sum.of_own, sum.of_nobodys, found->trace, found->witness.steps.size(),
            found->replay};
    }
}

void take_witness(const Explored& explored, ExploredRow& row) {
    if (explored.trace.empty()) return;
    row.witness = explored.trace;
    row.cause = cause_of(explored);
    row.witness_steps = explored.result.witness.steps.size();
    row.witness_faults = faults_in(explored.result.witness);
    row.proved_shortest = explored.proved_shortest;
    row.shrunk_from_steps = explored.shrunk_from;
    row.replay = explored.replay;
}

}  // namespace

ExploredRow explored_row(const Explored& explored) {
    const SearchResult& result = explored.result;
    ExploredRow row;
    row.algorithm = explored.algorithm->name;
    row.search = search_row(explored.bounds);
    row.faults = to_string(explored.bounds.faults);
    row.lengths = explored.bounds.any_length ? "any" : "exact";
    if (explored.bounds.latency > Duration::zero()) row.latency = explored.bounds.latency;
    row.strategy = explored.strategy;
    row.seed = explored.seed;
    row.verdict = result.verdict;
    row.exhausted = result.exhausted;
    row.schedules = explored.schedules;
    row.violated_schedules = explored.violated_schedules;
    if (explored.violated_schedules && explored.seed) {
        row.violated_share = share_interval(*explored.violated_schedules, *explored.schedules);
    }
    if (explored.odds) row.probability = odds_row(*explored.odds);
    row.steps = result.steps;
    row.states = result.states;
    row.depth = result.depth;
    row.seconds = explored.seconds;
    row.memory_bytes = result.memory;
    row.digest = result.digest;
    take_findings(explored, row);
    take_proofs(explored, row);
    row.why_unknown = result.why_unknown;
    take_witness(explored, row);
    return row;
}

nlohmann::ordered_json to_json(const ExploredRow& row) { return written_row(row); }

}  // namespace locklab
