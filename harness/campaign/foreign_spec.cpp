#include "harness/campaign/foreign_spec.h"

#include <chrono>

#include "harness/core/duration_text.h"
#include "harness/core/usage_error.h"

namespace locklab {

namespace {

/// The longest after which a library that is known gives up on a reply, as it comes.
constexpr Duration kLibraryTimeout = std::chrono::seconds(5);

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
    // Longer than a coroutine's: somebody is inside most of the time, within the lease.
    if (!options.job) options.job = DurationRange{*options.ttl / 100, *options.ttl * 2 / 5};
    return spec_for(subject.row(), options);
}

FaultBudget budget_for(Hazard hazard) {
    FaultBudget budget;
    // Of three clients one may crash: who is alone shows nothing.
    if (hazard != Hazard::contention) budget[hazard] = hazard == Hazard::crash ? 1 : kOfEach;
    return budget;
}

}  // namespace locklab
