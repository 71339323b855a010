#include "harness/explore/proof.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "harness/check/campaign_count.h"
#include "harness/core/printable.h"

namespace locklab {

namespace {

Bounds search_of(const Algorithm& algorithm, std::uint32_t clients, std::uint32_t rounds,
                 std::uint32_t attempts) {
    Bounds bounds = bounds_for(algorithm);
    bounds.clients = clients;
    bounds.rounds = rounds;
    bounds.attempts = attempts;
    // What waits for a server tells the time at which it was sent, and a link that is cut how long
    // ago that was: two attempts are 50 million states, and more.
    if (algorithm.reads_wall_clock) bounds.attempts_in_silence = 1;
    return bounds;
}

/// Later searches look only for shorter witnesses. Each question has its own limit, since a stuck
/// client says nothing about who may be inside together.
void narrow(SearchLimits& limits, const SearchResult& found) {
    const auto at_most = [](std::size_t& depth, const Path& witness) {
        depth = std::min(depth, witness.steps.size());
    };
    if (found.stuck) at_most(limits.stuck_depth, found.stuck->witness);
    const bool is_over = found.verdict == Verdict::violated ||
                         (found.verdict == Verdict::stuck && limits.goal == Goal::progress);
    if (is_over) at_most(limits.depth, found.witness);
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
    if (!coverage.unlisted_key.empty()) {
        missing.push_back("keys such as '" + printable(coverage.unlisted_key) +
                          "' are never evicted here: a search has room for 64 keys, whose names "
                          "are known beforehand");
    }
    if (coverage.sets_ttl && !coverage.ran_out) {
        missing.emplace_back("the lock's key has a time to live that never ran out");
    }
    if (coverage.sets_other_ttl && !coverage.other_ran_out) {
        missing.emplace_back("a key beside the lock's has a time to live that never ran out");
    }
    return missing;
}

/// The ways in which one client can exclude another, but never did.
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

/// Adds the same searches with the modes of the clients swapped: shared for alone, and the reverse.
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

bool fails(const Searched& searched) {
    const Verdict verdict = searched.result.verdict;
    return verdict == Verdict::violated || verdict == Verdict::stuck;
}

std::vector<Bounds> searches_for(const Algorithm& algorithm) {
    std::vector<Bounds> searches{search_of(algorithm, 2, 2, 2), search_of(algorithm, 3, 1, 3)};
    searches[0].leaves = 1;
    // One search waits longer than a lease, which may end only by a deadline in the key's value.
    const Duration ttl = searches[0].options.ttl;
    if (!algorithm.renews && ttl != Duration::zero()) searches[0].wait = ttl * 11 / 10;
    // A third client may meet what the second round of another leaves behind.
    if (!algorithm.renews) searches.push_back(search_of(algorithm, 3, 2, 1));
    // Time passes to whatever is due next. With a wait below the TTL, a second try is due while a
    // lease still runs; another client may then begin its second round with what is left of its
    // first.
    if (searches[0].wait > ttl && ttl > Duration::zero()) {
        searches.push_back(search_of(algorithm, 2, 2, 2));
    }
    // For N permits, search N + 1 clients.
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
    for (Bounds& bounds : searches) bounds.set_faults(faults);
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
    // Also after an interruption: then each of the remaining searches says that it does not know.
    for (const Bounds& bounds : searches) {
        proof.searches.push_back(searched(bounds, limits, stop, tell));
        proof.coverage.add(proof.searches.back().result.coverage);
        proof.states_spent += proof.searches.back().result.states;
        narrow(limits, proof.searches.back().result);
    }
    decide(proof);
    const std::string& before = searches.front().why_unknown;
    const std::string why = before.empty() ? watch_.why_now() : before;
    if (!why.empty()) refuse_find(proof, why);
    return proof;
}

Searched Prover::searched(const Bounds& bounds, const SearchLimits& limits,
                          const std::atomic<bool>& stop, const TellProgress& tell) const {
    const auto began = std::chrono::steady_clock::now();  // outside any run
    Searched searched{bounds, search(bounds, limits, stop, tell)};
    const auto ended = std::chrono::steady_clock::now();  // outside any run
    searched.seconds = std::chrono::duration<double>(ended - began).count();
    return searched;
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

/// No schedule shows anything of a lock that keeps state outside of its object.
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
    proof.vacuous = false;
    proof.why_unknown = shown->result.why_unknown;
    const auto length = [&](std::size_t i) {
        return searches[i].result.stuck->witness.steps.size();
    };
    for (std::size_t i = 0; i < searches.size(); ++i) {
        if (!searches[i].result.stuck) continue;
        if (!proof.stuck || length(i) < length(*proof.stuck)) proof.stuck = i;
    }
    refuse_vacuous(proof, known_);
}

void refuse_vacuous(Proof& proof, const Rehearsal& known) {
    proof.missing = missing_in(proof.coverage, proof.faults, known);
    for (std::string& sentence : never_refused(proof.coverage, *proof.algorithm)) {
        proof.missing.push_back(std::move(sentence));
    }
    const bool alone = std::ranges::all_of(
        proof.searches, [](const Searched& searched) { return searched.bounds.clients == 1; });
    if (alone) proof.missing.emplace_back(kNobodyToExclude);
    if (proof.verdict != Verdict::holds || proof.missing.empty()) return;
    proof.verdict = Verdict::unknown;
    proof.vacuous = true;
    proof.why_unknown = "vacuous, for too little was exercised: " + joined(proof.missing, "; ");
}

std::vector<FaultBudget> claims_of(const Algorithm& algorithm) {
    std::vector<FaultBudget> claims(1);
    for (const HazardRow& row : kHazards) {
        const bool claimed =
            algorithm.safe_under.contains(row.hazard) && is_made_in(FaultWorld::search, row.hazard);
        if (!claimed || row.hazard == kNoFault) continue;
        claims.emplace_back()[row.hazard] = 1;
    }
    return claims;
}

}  // namespace locklab
