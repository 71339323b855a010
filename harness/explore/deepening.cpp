// How a proof goes deeper than it was asked: one more round, try or client at a time.

#include <algorithm>

#include "harness/explore/proof.h"

namespace locklab {

namespace {

/// One way to go deeper: the bounds of the next search, and which of them grows.
struct Deeper {
    enum class By : std::uint8_t { rounds, clients, attempts };
    By by = By::rounds;
    Bounds bounds;

    /// Makes the bounds larger. False if there are no larger ones.
    bool go_on() {
        switch (by) {
            case By::rounds: return ++bounds.rounds <= kMostToDeepen;
            case By::attempts: return ++bounds.attempts <= kMostToDeepen;
            case By::clients: return ++bounds.clients <= Bounds::kMostClients;
        }
        return false;
    }
};

/// More rounds and more tries, each from the proof's first search on; and more clients than in any
/// search, with one round and one try each where those may vary.
std::vector<Deeper> ways_to_deepen(const Proof& proof, const Deepening& in) {
    std::vector<Deeper> ways;
    Bounds first = proof.searches.front().bounds;
    if (in.rounds) ways.push_back({Deeper::By::rounds, first});
    if (in.attempts) ways.push_back({Deeper::By::attempts, first});
    if (in.clients && first.unequal.empty()) {
        for (const Searched& searched : proof.searches) {
            first.clients = std::max(first.clients, searched.bounds.clients);
        }
        if (in.rounds) first.rounds = 1;
        if (in.attempts) first.attempts = 1;
        ways.push_back({Deeper::By::clients, first});
    }
    std::erase_if(ways, [](Deeper& way) { return !way.go_on(); });
    return ways;
}

}  // namespace

void Prover::deepen(Proof& proof, const Deepening& in, const std::atomic<bool>& stop,
                    const TellProgress& tell) const {
    std::vector<Deeper> ways = ways_to_deepen(proof, in);
    const auto is_open = [&] { return proof.verdict == Verdict::holds || proof.vacuous; };
    while (is_open() && !stop && !ways.empty()) {
        for (std::size_t i = 0; i < ways.size();) {
            SearchLimits limits = limits_;
            // Divide the remaining states among the ways, so that an endless one does not take them
            // all.
            const std::uint64_t left =
                kStatesToDeepen - std::min(kStatesToDeepen, proof.states_spent);
            limits.states = left / ways.size();
            Searched more = searched(ways[i].bounds, limits, stop, tell);
            if (stop) return;
            proof.states_spent += more.result.states;
            if (fails(more)) {
                proof.coverage.add(more.result.coverage);
                proof.searches.push_back(std::move(more));
                return decide(proof);
            }
            // Where a deeper search meets keys that it cannot evict, it proves no more.
            const bool evicts_all = more.result.coverage.unlisted_key.empty();
            const bool holds = more.result.verdict == Verdict::holds && evicts_all;
            if (holds && proof.vacuous) proof.coverage.add(more.result.coverage);
            if (holds) proof.deeper.push_back(std::move(more));
            if (holds && ways[i].go_on()) {
                ++i;
            } else {
                ways.erase(ways.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    }
    // The deeper searches may have exercised what was missing.
    if (proof.vacuous) decide(proof);
}

}  // namespace locklab
