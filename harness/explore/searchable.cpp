// When a finished search is no proof, and what is not searched at all.

#include "harness/explore/client_state.h"
#include "harness/explore/exhaustive.h"

namespace locklab {

void refuse_idle_faults(const Algorithm& algorithm, const Bounds& bounds, SearchResult& result) {
    if (result.verdict != Verdict::holds) return;
    for (const HazardRow& row : kHazards) {
        if (bounds.faults[row.hazard] == 0 || applies(algorithm, row.hazard)) continue;
        result.verdict = Verdict::unknown;
        result.why_unknown = "fault '" + std::string(row.name) + "' cannot strike this lock";
        return;
    }
}

SearchResult search_exhaustively(const Algorithm& algorithm, const Bounds& bounds,
                                 const SearchLimits& limits, const std::atomic<bool>& stop,
                                 const TellProgress& tell) {
    SearchResult result;
    if (bounds.faults[Hazard::delay_request] > ClientState::kMostLate) {
        result.why_unknown = "more than " + std::to_string(ClientState::kMostLate) +
                             " late requests at once are not searched";
        return result;
    }
    if (bounds.faults[Hazard::restart_snapshot] > 0 &&
        bounds.faults[Hazard::server_clock_jump] > 0) {
        result.why_unknown = "restart_snapshot and server_clock_jump are not searched at once";
        return result;
    }
    if (bounds.faults.takes_over() && bounds.servers > 1) {
        result.why_unknown = "failover needs exactly one master";
        return result;
    }
    if (bounds.faults.takes_over() && bounds.faults[Hazard::server_clock_jump] > 0) {
        result.why_unknown = "failover and server_clock_jump are not searched at once";
        return result;
    }
    result = search_states(algorithm, bounds, limits, stop, tell);
    if (result.cuts_tokens && result.verdict == Verdict::holds) {
        // Tokens with equal tails may show what tokens with equal heads do not.
        Bounds other = bounds;
        other.tokens = TokenStyle::same_tail;
        result = search_states(algorithm, other, limits, stop, tell);
    }
    if (result.cuts_tokens && result.verdict == Verdict::holds) {
        result.verdict = Verdict::unknown;
        result.why_unknown =
            "the lock does not compare its tokens as a whole, or computes from them: a search with "
            "a few tokens does not speak for all";
    }
    refuse_idle_faults(algorithm, bounds, result);
    return result;
}

}  // namespace locklab
