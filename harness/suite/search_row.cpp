#include "harness/suite/search_row.h"

#include <utility>

namespace locklab {

SearchRow search_row(const Bounds& bounds) {
    return {bounds.clients, bounds.rounds, bounds.attempts, bounds.leaves, bounds.takes_again};
}

CoverageRow coverage_row(const Coverage& coverage) {
    CoverageRow row;
    for (const SentCommand& command : coverage.sent) {
        row.sent.push_back({command.shape, std::string(name_of(command.phase)), {}});
        std::vector<std::string> errors = coverage.only_errors(command.shape);
        if (!errors.empty()) row.sent.back().answered_only = std::move(errors);
    }
    for (const HazardRow& hazard : kHazards) {
        if (!coverage.has_struck(hazard.hazard)) continue;
        auto& [name, phases] = row.struck.emplace_back();
        name = hazard.name;
        for (const Phase phase : kEveryPhase) {
            if (coverage.has_struck(hazard.hazard, phase)) phases.emplace_back(name_of(phase));
        }
    }
    row.sets_ttl = coverage.sets_ttl;
    row.ttl_ran_out = coverage.ran_out;
    row.ttl_ran_out_inside = coverage.ran_out_inside;
    return row;
}

}  // namespace locklab
