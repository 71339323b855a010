#include "harness/explore/proof.h"

#include <algorithm>
#include <chrono>
#include <string_view>

namespace locklab {

namespace {

Bounds search_of(const Algorithm& algorithm, std::uint32_t clients, std::uint32_t rounds,
                 std::uint32_t attempts) {
    Bounds bounds = bounds_for(algorithm);
    bounds.clients = clients;
    bounds.rounds = rounds;
    bounds.attempts = attempts;
    return bounds;
}

bool fails(const Searched& searched) {
    const Verdict verdict = searched.result.verdict;
    return verdict == Verdict::violated || verdict == Verdict::stuck;
}

/// Violated before stuck, a short witness before a long one.
bool is_worse(const Searched& a, const Searched& b) {
    const auto rank = [](const Searched& searched) {
        const SearchResult& result = searched.result;
        return std::pair(result.verdict != Verdict::violated, result.witness.steps.size());
    };
    return rank(a) < rank(b);
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string text;
    for (const std::string& part : parts) text.append(text.empty() ? "" : between).append(part);
    return text;
}

/// What the searches together did not exercise.
std::vector<std::string> missing_in(const Coverage& coverage, const FaultBudget& faults,
                                    const Rehearsal& rehearsal) {
    std::vector<std::string> missing;
    for (const HazardRow& row : kHazards) {
        if (faults[row.hazard] == 0 || coverage.has_struck(row.hazard)) continue;
        missing.push_back("the fault " + std::string(row.name) + " never struck");
    }
    for (const SentCommand& command : rehearsal.sent_under(faults)) {
        if (coverage.sent.contains(command)) continue;
        missing.push_back(command.shape + " was never sent in the phase '" +
                          std::string(name_of(command.phase)) + "'");
    }
    for (const auto& [shape, error] : rehearsal.answered_under(faults)) {
        const std::vector<std::string> errors = coverage.only_errors(shape);
        if (!error.empty() || errors.empty()) continue;
        missing.push_back(shape + " was answered with nothing but " + joined(errors, ", "));
    }
    if (coverage.sets_ttl && !coverage.ran_out) {
        missing.emplace_back("the lock's key has a time to live that never ran out");
    }
    if (coverage.sets_other_ttl && !coverage.other_ran_out) {
        missing.emplace_back("a key beside the lock's has a time to live that never ran out");
    }
    return missing;
}

/// The ways in which one client can stand in another's way, and none was refused for.
std::vector<std::string> never_refused(const Coverage& coverage, const Algorithm& algorithm) {
    std::vector<std::string> missing;
    if (algorithm.permits == 1) return missing;
    for (const Mode wanted : kModes) {
        for (const Mode had : kModes) {
            const bool both_share = wanted == Mode::shared && had == Mode::shared;
            const bool meets = both_share ? algorithm.permits != kAnyNumber : algorithm.both_modes;
            if (!meets || coverage.has_refused(wanted, had)) continue;
            missing.push_back("nobody who wanted the lock " + std::string(name_of(wanted)) +
                              " was refused while another had it " + std::string(name_of(had)));
        }
    }
    return missing;
}

/// The same searches again, those who share the lock being those who want it alone, and the other
/// way about.
void add_other_modes(std::vector<Bounds>& searches) {
    const std::size_t before = searches.size();
    for (std::size_t i = 0; i < before; ++i) {
        Bounds other = searches[i];
        for (std::uint32_t k = 0; k < other.clients; ++k) {
            ClientOptions own{ClientId{k}};
            own.mode = k % 2 == 0 ? Mode::alone : Mode::shared;
            other.unequal.push_back(own);
        }
        searches.push_back(std::move(other));
    }
}

}  // namespace

std::vector<Bounds> searches_for(const Algorithm& algorithm) {
    std::vector<Bounds> searches{search_of(algorithm, 2, 2, 2), search_of(algorithm, 3, 1, 3)};
    searches[0].leaves = 1;
    // One wait outlasts a lease that only a deadline in its value ends.
    const Duration ttl = searches[0].options.ttl;
    if (!algorithm.renews && ttl != Duration::zero()) searches[0].wait = ttl * 11 / 10;
    // A third client may meet what the second round of another leaves behind.
    if (!algorithm.renews) searches.push_back(search_of(algorithm, 3, 2, 1));
    // Time passes to what is due next, and somebody's second try is due while a lease still runs:
    // then another may begin its second round with what is left of its first.
    if (searches[0].wait > ttl && ttl > Duration::zero()) {
        searches.push_back(search_of(algorithm, 2, 2, 2));
    }
    // Of a semaphore all that share it, and one more.
    if (algorithm.permits > 2) {
        const std::uint32_t clients = std::min(least_clients(algorithm), Bounds::kMostClients);
        searches.push_back(search_of(algorithm, clients, 1, 1));
    }
    if (algorithm.both_modes) add_other_modes(searches);
    if (algorithm.reentrant) {
        searches.push_back(search_of(algorithm, 2, 1, 2));
        searches.back().takes_again = true;
    }
    return searches;
}

Prover::Prover(const Algorithm& algorithm, const SearchLimits& limits)
    : algorithm_(algorithm), limits_(limits), watch_(algorithm), known_(rehearse(algorithm)) {}

Proof Prover::prove(const FaultBudget& faults, const std::atomic<bool>& stop,
                    const TellProgress& tell) const {
    std::vector<Bounds> searches = searches_for(algorithm_);
    for (Bounds& bounds : searches) bounds.faults = faults;
    return prove(searches, stop, tell);
}

Proof Prover::prove(const std::vector<Bounds>& searches, const std::atomic<bool>& stop,
                    const TellProgress& tell) const {
    return prove(searches, limits_.goal, stop, tell);
}

Proof Prover::prove(const std::vector<Bounds>& searches, Goal goal, const std::atomic<bool>& stop,
                    const TellProgress& tell) const {
    Proof proof;
    proof.algorithm = &algorithm_;
    proof.faults = searches.front().faults;
    SearchLimits limits = limits_;
    limits.goal = goal;
    // Also where somebody stops: then each of the rest says that it does not know.
    for (const Bounds& bounds : searches) {
        const auto began = std::chrono::steady_clock::now();  // outside any run
        Searched searched{bounds, search(bounds, limits, stop, tell)};
        const auto ended = std::chrono::steady_clock::now();  // outside any run
        searched.seconds = std::chrono::duration<double>(ended - began).count();
        proof.coverage.add(searched.result.coverage);
        proof.searches.push_back(std::move(searched));
        const Searched& last = proof.searches.back();
        // From now on only a shorter witness is worth a look.
        if (fails(last)) limits.depth = std::min(limits.depth, last.result.witness.steps.size());
    }
    decide(proof);
    if (const std::string why = watch_.why_now(); !why.empty()) refuse_find(proof, why);
    return proof;
}

SearchResult Prover::search(const Bounds& bounds, const SearchLimits& limits,
                            const std::atomic<bool>& stop, const TellProgress& tell) const {
    if (known_.why_unknown.empty()) {
        return search_exhaustively(algorithm_, bounds, limits, stop, tell);
    }
    SearchResult none;
    none.why_unknown = known_.why_unknown;
    return none;
}

/// Of a lock that is not its own no schedule shows anything.
void Prover::refuse_find(Proof& proof, const std::string& why) {
    for (Searched& searched : proof.searches) {
        searched.result = SearchResult();
        searched.result.why_unknown = why;
    }
    proof.verdict = Verdict::unknown;
    proof.why_unknown = why;
}

void Prover::decide(Proof& proof) const {
    const std::vector<Searched>& searches = proof.searches;
    const auto worst = std::min_element(searches.begin(), searches.end(),
                                        [](const Searched& a, const Searched& b) {
                                            return fails(a) && (!fails(b) || is_worse(a, b));
                                        });
    const auto unsure = std::find_if(searches.begin(), searches.end(), [](const auto& searched) {
        return searched.result.verdict == Verdict::unknown;
    });
    const auto largest = std::max_element(
        searches.begin(), searches.end(),
        [](const auto& a, const auto& b) { return a.result.states < b.result.states; });
    const bool broken = fails(*worst);
    const auto shown = broken ? worst : unsure != searches.end() ? unsure : largest;
    proof.decisive = static_cast<std::size_t>(shown - searches.begin());
    proof.verdict = shown->result.verdict;
    proof.why_unknown = shown->result.why_unknown;
    refuse_vacuous(proof, known_);
}

void refuse_vacuous(Proof& proof, const Rehearsal& known) {
    proof.missing = missing_in(proof.coverage, proof.faults, known);
    for (std::string& sentence : never_refused(proof.coverage, *proof.algorithm)) {
        proof.missing.push_back(std::move(sentence));
    }
    if (proof.verdict != Verdict::holds || proof.missing.empty()) return;
    proof.verdict = Verdict::unknown;
    proof.vacuous = true;
    proof.why_unknown = "vacuous, for too little was exercised: " + joined(proof.missing, "; ");
}

std::vector<FaultBudget> claims_of(const Algorithm& algorithm) {
    std::vector<FaultBudget> claims(1);
    for (const HazardRow& row : kHazards) {
        const bool claimed = algorithm.safe_under.contains(row.hazard);
        if (!claimed || row.hazard == kNoFault) continue;
        claims.emplace_back()[row.hazard] = 1;
    }
    return claims;
}

}  // namespace locklab
