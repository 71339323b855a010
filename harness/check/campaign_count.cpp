#include "harness/check/campaign_count.h"

#include <algorithm>

namespace locklab {

RunReport report_run(const History& history) {
    RunReport report;
    report.run = history.run;
    report.events = history.events.size();
    report.judgement = judge(history);
    for (const Event& event : history.events) {
        if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
            ++report.strikes[static_cast<std::size_t>(fault->hazard)];
        }
    }
    return report;
}

void CampaignCount::add(const RunReport& report) {
    tally_.add(report.judgement);
    for (std::size_t i = 0; i < strikes_.size(); ++i) strikes_[i] += report.strikes[i];
    const Verdict verdict = report.judgement.verdict;
    if (verdict != Verdict::violated && verdict != Verdict::stuck) return;
    std::optional<Shortest>& shortest = verdict == Verdict::violated ? violated_ : stuck_;
    if (!shortest || report.events < shortest->events) {
        shortest = Shortest{report.run, report.events};
    }
}

std::optional<Hazard> CampaignCount::never_struck() const {
    for (const HazardRow& row : kHazards) {
        if (budget_[row.hazard] > 0 && strikes(row.hazard) == 0) return row.hazard;
    }
    return std::nullopt;
}

Verdict CampaignCount::verdict() const {
    const Verdict counted = tally_.verdict();
    const bool found = counted == Verdict::violated || counted == Verdict::stuck;
    return found || why_unknown().empty() ? counted : Verdict::unknown;
}

std::string CampaignCount::why_unknown() const {
    const Verdict counted = tally_.verdict();
    if (counted == Verdict::violated || counted == Verdict::stuck) return {};
    if (!complete_) return "the campaign was cut short";
    if (disturbed_runs_ > tally_.runs()) return "the machine was too slow for most runs";
    if (tally_.grants() == 0) return "there was no grant";
    if (const auto hazard = never_struck()) {
        return std::string(name_of(*hazard)) + " struck in no run";
    }
    return {};
}

std::optional<std::uint64_t> CampaignCount::witness() const {
    if (violated_) return violated_->run;
    if (stuck_) return stuck_->run;
    return std::nullopt;
}

}  // namespace locklab
