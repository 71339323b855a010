// The counts of a search, play by play.

#include <algorithm>

#include "harness/core/counted.h"
#include "harness/foreign/virtual_search.h"

namespace locklab {

void VirtualSearchResult::count(const PlayResult& play) {
    ++plays;
    choices += play.choices.size();
    not_whole += play.is_whole ? 0 : 1;
    hung += play.hangs ? 1 : 0;
    died += play.how_it_died.empty() ? 0 : 1;
    if (how_it_died.empty()) how_it_died = play.how_it_died;
    inside += play.inside;
    if (first_error.empty()) first_error = play.first_error;
    std::array<bool, kHazards.size()> strikes{};
    for (const Event& event : play.history.events) {
        if (std::holds_alternative<event::Granted>(event.detail)) ++grants;
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        if (fault != nullptr) strikes[static_cast<std::size_t>(fault->hazard)] = true;
    }
    if (!play.is_whole) return;
    hangs.add(hangs_in(play.history));
    for (std::size_t i = 0; i < strikes.size(); ++i) struck[i] += strikes[i] ? 1 : 0;
}

std::string why_nothing(const VirtualSearchResult& result, const FaultBudget& faults) {
    if (result.not_whole > result.whole()) {
        return counted(result.not_whole, "play") + " of them went on for too long, and " +
               (result.not_whole == 1 ? "was" : "were") + " ended";
    }
    if (result.grants == 0) return "nobody was granted the lock";
    if (result.inside == 0) {
        return "no client was ever proved to be inside (no step was answered ok, and not lost)";
    }
    for (const HazardRow& row : kHazards) {
        const bool struck = result.struck[static_cast<std::size_t>(row.hazard)] > 0;
        if (faults[row.hazard] > 0 && !struck) return std::string(row.name) + " never struck";
    }
    return "";
}

}  // namespace locklab
