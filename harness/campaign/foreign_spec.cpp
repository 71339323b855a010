#include "harness/campaign/foreign_spec.h"

#include <algorithm>
#include <chrono>

#include "harness/core/duration_text.h"
#include "harness/core/usage_error.h"
#include "harness/foreign/play_spec.h"

namespace locklab {

namespace {

/// Faults of a run, where each hazard has its turn.
constexpr std::uint32_t kOfEach = 2;

}  // namespace

RunSpec spec_for(const Subject& subject, CampaignOptions options, const FaultBudget& budget) {
    options.budget = budget;
    if (!options.ttl) options.ttl = subject.usual_ttl();
    if (*options.ttl < subject.least_ttl()) {
        throw UsageError(std::string(subject.row().name) + " takes no TTL below " +
                         to_string(subject.least_ttl()) + "; right would be --ttl " +
                         to_string(subject.usual_ttl()));
    }
    if (!options.timeout && subject.has_own_timeouts()) options.timeout = kLibraryTimeout;
    // Longer than a coroutine's: somebody is inside most of the time, within the lease. A lock that
    // renews has jobs of any length: a renewal that is lost is then missed.
    const Duration longest =
        subject.row().renews ? *options.ttl * 3 / 2 : Duration(*options.ttl * 2 / 5);
    if (!options.job) options.job = DurationRange{*options.ttl / 100, longest};
    return spec_for(subject.row(), options);
}

FaultBudget budget_for(Hazard hazard) {
    FaultBudget budget;
    // Of three clients only one may crash: a client alone shows nothing.
    if (hazard == Hazard::contention) return budget;
    const HazardRow& row = row_of(hazard);
    const bool ends_client = row.target == FaultTarget::client && row.size == FaultSize::none;
    budget[hazard] = ends_client ? 1 : std::min(kOfEach, most_of(hazard));
    return budget;
}

}  // namespace locklab
