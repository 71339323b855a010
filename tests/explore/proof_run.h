// A proof as `explore` makes it, and its witness judged on the stage.
#pragma once

#include "harness/explore/proof.h"
#include "harness/play/step_player.h"
#include "harness/stage/sim_world.h"
#include "tests/explore/search_bounds.h"

namespace locklab {

inline Proof prove(const Algorithm& algorithm, const FaultBudget& faults) {
    SearchLimits limits;
#ifdef LOCKLAB_SMALL_BOUNDS
    limits.memory = std::uint64_t{16} << 20;
#endif
    return Prover(algorithm, limits).prove(faults, kGoOn, [](const SearchProgress&) {});
}

/// Latches are keys of their own, in more states than a search has room for; and more renewals wait
/// at a server that hangs than a search has. Of these, campaigns alone show what the rows say.
inline bool is_not_searched(const Algorithm& lock, Hazard hazard) {
    return lock.name.starts_with("unlock_latch") ||
           (lock.name.starts_with("upsert_watchdog") && hazard == Hazard::freeze);
}

/// Its key outlives its lease by longer than the pauses and jumps of a search are.
inline bool is_out_of_reach(const Algorithm& lock, Hazard hazard) {
    return lock.name.starts_with("lock_delay") &&
           (hazard == Hazard::pause || hazard == Hazard::server_clock_jump);
}

/// What the proof found instead.
inline Find find_of(const Proof& proof) {
    const Searched& shown = proof.shown();
    Find find;
    find.algorithm = proof.algorithm;
    find.bounds = shown.bounds;
    find.steps = shown.result.witness.steps;
    find.tokens = shown.result.witness.tokens;
    if (proof.verdict == Verdict::stuck) {
        const ClientId stuck = shown.result.stuck->client;
        find.newcomer = stuck.value == shown.bounds.clients;
        if (!find.newcomer) find.waiter = stuck;
    }
    for (std::uint32_t i = 0; i < shown.bounds.clients; ++i) {
        find.clock_offsets.push_back(std::chrono::milliseconds(shown.result.witness.clocks[i]));
    }
    return find;
}

inline Judgement judged_on_stage(const Proof& proof) {
    SimWorld world;
    return judge(play_steps(find_of(proof), world, Key{"lock"}).history);
}

}  // namespace locklab
