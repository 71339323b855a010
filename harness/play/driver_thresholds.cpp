#include "harness/play/driver_thresholds.h"

#include "harness/core/fault_sets.h"
#include "harness/core/fault_text.h"

namespace locklab {

namespace {

std::vector<Hazard> hazards_for(const Subject& subject) {
    std::vector<Hazard> hazards;
    for (const HazardRow& row : kHazards) {
        const bool can =
            is_made_in(FaultWorld::plays, row.hazard) && applies(subject.row(), row.hazard);
        if (row.hazard != kNoFault && can) hazards.push_back(row.hazard);
    }
    return hazards;
}

/// A bad driver costs only this set of faults, which then says why.
SearchedSet search_set(const Subject& subject, const PlaySpec& spec,
                       const VirtualSearchLimits& limits, const Watcher& watcher) {
    SearchedSet set{spec, {}, {}};
    try {
        set.result = search_virtually(subject, spec, limits, watcher);
        set.why_unknown = why_nothing(set.result, spec.faults);
    } catch (const DriverTrouble& trouble) {
        set.why_unknown = trouble.what();
    }
    if (set.result.find && !set.result.find->proves_again) {
        set.why_unknown = "an overlap was proved once, and did not come again";
    }
    return set;
}

}  // namespace

DriverThresholds find_driver_thresholds(const Subject& subject, const PlaySpec& spec,
                                        const VirtualSearchLimits& limits,
                                        std::uint32_t most_faults, const Watcher& watcher) {
    DriverThresholds found;
    const std::vector<Hazard> hazards = hazards_for(subject);
    for (std::uint32_t count = 0; count <= most_faults; ++count) {
        for (const FaultBudget& faults : fault_sets(hazards, count)) {
            const bool is_known = std::ranges::any_of(found.broken, [&](const SearchedSet& part) {
                return contains(faults, part.spec.faults);
            });
            if (is_known) continue;
            PlaySpec with = spec;
            with.faults = faults;
            Watcher its = watcher;
            its.on_show = [&](std::string_view text) {
                watcher.show(to_string(faults) + ": " + std::string(text));
            };
            SearchedSet set = search_set(subject, with, limits, its);
            if (watcher.stopped()) return found;
            if (!set.why_unknown.empty()) {
                found.unknown.push_back(std::move(set));
            } else if (set.result.find) {
                found.broken.push_back(std::move(set));
            } else {
                found.not_seen.push_back(std::move(set));
            }
        }
    }
    found.complete = true;
    return found;
}

}  // namespace locklab
