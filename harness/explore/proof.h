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

/// The searches of a lock unless somebody asks for others: two clients in two rounds, so that what
/// one round leaves behind meets the next, and of which one may go without a release; three clients
/// in one round; and, for a lock that its holder may take again, jobs that do.
std::vector<Bounds> searches_for(const Algorithm& algorithm);

/// Searches go deeper by themselves until all of one set of faults have so many states. It is part
/// of what a proof says, so it does not depend on the machine.
inline constexpr std::uint64_t kStatesToDeepen = 1'000'000;

/// In what a proof may go deeper than it was asked: what nobody has fixed.
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

/// Something was found.
bool fails(const Searched& searched);

struct Proof {
    const Algorithm* algorithm = nullptr;
    FaultBudget faults;
    /// Violated or stuck if one of the searches is; holds if each does and nothing is missing.
    Verdict verdict = Verdict::unknown;
    std::string why_unknown;
    /// Every search was exhausted and none fails, but what they exercised is not enough.
    bool vacuous = false;
    std::vector<std::string> missing;  ///< one sentence for each thing that was not exercised
    std::vector<Searched> searches;
    /// Deeper ones, which came to their end without a find. One that finds something is among the
    /// searches. `states_spent`: by those that asked and those that went deeper.
    std::vector<Searched> deeper;
    std::uint64_t states_spent = 0;
    std::size_t decisive = 0;  ///< of these; where several fail, that with the shortest witness
    /// Of these, that with a shortest way to a stuck client, whatever the verdict is.
    std::optional<std::size_t> stuck;
    Coverage coverage;

    const Searched& shown() const { return searches[decisive]; }
};

/// `holds` is for what was exercised: takes down what is missing, `known` being what the lock is
/// known to send, and lets the verdict be unknown where anything is.
void refuse_vacuous(Proof& proof, const Rehearsal& known);

class Prover {
public:
    /// `algorithm` must outlive the prover.
    Prover(const Algorithm& algorithm, const SearchLimits& limits);

    /// The faults of each of `searches` are those that are asked about.
    Proof prove(const std::vector<Bounds>& searches, const std::atomic<bool>& stop,
                const TellProgress& tell) const;
    /// The same for another goal than that of the limits.
    Proof prove(const std::vector<Bounds>& searches, Goal goal, const std::atomic<bool>& stop,
                const TellProgress& tell) const;
    /// Goes deeper than the searches of a proof that holds, or was vacuous, until there are
    /// kStatesToDeepen states or something is found.
    void deepen(Proof& proof, const Deepening& in, const std::atomic<bool>& stop,
                const TellProgress& tell) const;
    /// The lock's own searches with these faults.
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

/// The sets of faults that a lock claims to survive, each hazard alone; none at all, first.
std::vector<FaultBudget> claims_of(const Algorithm& algorithm);

}  // namespace locklab
