// The answer to "does this lock survive these faults?": a few exhaustive searches that complement
// each other, and what they exercised together. A search that exercised too little proves nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/explore/exhaustive.h"
#include "harness/explore/outside.h"
#include "harness/explore/rehearsal.h"

namespace locklab {

/// The default searches of a lock: two clients in two rounds, so that what one round leaves behind
/// meets the next, and one client may leave without a release; three clients in one round; and, for
/// a reentrant lock, jobs that take it a second time.
std::vector<Bounds> searches_for(const Algorithm& algorithm);

/// Deepening stops once all searches with one set of faults have this many states. Part of what a
/// proof says, so it does not depend on the machine.
inline constexpr std::uint64_t kStatesToDeepen = 1'000'000;
/// No deeper search has more rounds, or more tries in a round: a client that is alone has few
/// states in each.
inline constexpr std::uint32_t kMostToDeepen = 50;

/// What a proof may make larger by itself: the bounds that the user has not fixed.
struct Deepening {
    bool rounds = false;
    bool clients = false;
    bool attempts = false;
};

struct Searched {
    Bounds bounds;
    SearchResult result;
    double seconds = 0;
};

/// The search found a violation or a stuck client.
bool fails(const Searched& searched);

struct Proof {
    const Algorithm* algorithm = nullptr;
    FaultBudget faults;
    /// Violated or stuck if one of the searches is; holds if all hold and nothing is missing.
    Verdict verdict = Verdict::unknown;
    std::string why_unknown;
    /// Every search was exhausted and none fails, but together they exercised too little.
    bool vacuous = false;
    std::vector<std::string> missing;  ///< one sentence for each thing that was not exercised
    std::vector<Searched> searches;
    /// Deeper searches that finished without a counterexample; one with a counterexample is among
    /// `searches`. `states_spent` counts the states of both.
    std::vector<Searched> deeper;
    std::uint64_t states_spent = 0;
    std::size_t decisive = 0;  ///< index into `searches`: of failing ones, the shortest witness
    /// Index of the search with a shortest path to a stuck client, whatever the verdict.
    std::optional<std::size_t> stuck;
    Coverage coverage;

    const Searched& shown() const { return searches[decisive]; }
};

/// `holds` covers only what was exercised: lists what is missing, where `known` is what the lock is
/// known to send, and makes the verdict unknown if anything is.
void refuse_vacuous(Proof& proof, const Rehearsal& known);

class Prover {
public:
    /// `algorithm` must outlive the prover.
    Prover(const Algorithm& algorithm, const SearchLimits& limits);

    /// All `searches` have the faults that the proof is about.
    Proof prove(const std::vector<Bounds>& searches, const std::atomic<bool>& stop,
                const TellProgress& tell) const;
    /// The same with another goal than that of the limits.
    Proof prove(const std::vector<Bounds>& searches, Goal goal, const std::atomic<bool>& stop,
                const TellProgress& tell) const;
    /// Adds deeper searches to a proof that holds or was vacuous, until kStatesToDeepen states are
    /// spent or a counterexample is found.
    void deepen(Proof& proof, const Deepening& in, const std::atomic<bool>& stop,
                const TellProgress& tell) const;
    /// The lock's default searches with these faults.
    Proof prove(const FaultBudget& faults, const std::atomic<bool>& stop,
                const TellProgress& tell) const;

private:
    Searched searched(const Bounds& bounds, const SearchLimits& limits,
                      const std::atomic<bool>& stop, const TellProgress& tell) const;
    SearchResult search(const Bounds& bounds, const SearchLimits& limits,
                        const std::atomic<bool>& stop, const TellProgress& tell) const;
    void decide(Proof& proof) const;
    static void refuse_find(Proof& proof, const std::string& why);

    const Algorithm& algorithm_;
    const SearchLimits limits_;
    const OutsideWatch watch_;
    const Rehearsal known_;
};

/// The sets of faults that a lock claims to survive: first no fault, then each hazard alone.
std::vector<FaultBudget> claims_of(const Algorithm& algorithm);

}  // namespace locklab
