#include "harness/check/campaign_count.h"

#include <algorithm>

namespace locklab {

RunReport report_run(const History& history) {
    RunReport report;
    report.run = history.run;
    report.events = history.events.size();
    report.judgement = judge(history);
    report.draw = history.draw;
    report.threw = !history.threw.empty();
    for (const Event& event : history.events) {
        if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
            if (fault->by_itself) continue;
            ++report.strikes[static_cast<std::size_t>(fault->hazard)];
        }
    }
    return report;
}

/// In a swarm each run has its own TTL.
Duration CampaignCount::orphan_limit_of(const RunReport& report) const {
    const bool judged = orphan_limit_ > Duration::zero();
    return judged && report.draw ? orphan_limit(report.draw->ttl) : orphan_limit_;
}

void CampaignCount::add(const RunReport& report) {
    tally_.add(report.judgement, orphan_limit_of(report));
    oracles_.add(report.run, report.judgement, orphan_limit_of(report));
    worst_lag_ = std::max(worst_lag_, report.lag);
    if (report.draw) {
        if (!swarm_) swarm_.emplace();
        HazardSet struck;
        for (const HazardRow& row : kHazards) {
            if (report.strikes[static_cast<std::size_t>(row.hazard)] > 0) struck.add(row.hazard);
        }
        swarm_->add(*report.draw, report.run, struck, report.judgement);
    }
    for (std::size_t i = 0; i < strikes_.size(); ++i) strikes_[i] += report.strikes[i];
    const std::string& why = report.judgement.why_unknown;
    if (report.threw) {
        if (threw_.empty()) threw_ = why;
    } else if (report.judgement.shows_nothing) {
        show_nothing(why);
    }
    if (no_grant_.empty()) no_grant_ = why;
    if (report.judgement.refusals.falsely() > 0) take(report, falsely_refused_);
    const Verdict verdict = report.judgement.verdict;
    if (verdict == Verdict::violated) take(report, violated_);
    if (verdict == Verdict::stuck) take(report, stuck_);
}

void CampaignCount::take(const RunReport& report, std::optional<Shortest>& shortest) {
    if (shortest && shortest->events <= report.events) return;
    shortest = Shortest{report.run, report.events, report.judgement.liveness.waiting};
}

void CampaignCount::see_witness_again(const RunReport& again) {
    const Shortest& before = violated_ ? *violated_ : *stuck_;
    const bool is_same =
        again.events == before.events && again.judgement.verdict == tally_.verdict();
    if (again.judgement.shows_nothing) {
        show_nothing(again.judgement.why_unknown);
    } else if (!is_same) {
        show_nothing(why_not_its_own("run " + std::to_string(before.run) +
                                     " is another when it is made again"));
    }
}

void CampaignCount::leave_out_disturbed(const Disturbance& by) {
    ++disturbed_runs_;
    Disturbed& disturbed = disturbances_[static_cast<std::size_t>(by.kind)];
    ++disturbed.runs;
    if (disturbed.words.empty()) disturbed.words = by.words;
}

void CampaignCount::cut_short(const std::string& why) {
    complete_ = false;
    if (why_cut_short_.empty()) why_cut_short_ = why;
}

/// The reason, by the most frequent kind of disturbance.
std::string CampaignCount::why_disturbed() const {
    using Kind = Disturbance::Kind;
    const auto most =
        std::max_element(disturbances_.begin(), disturbances_.end(),
                         [](const Disturbed& a, const Disturbed& b) { return a.runs < b.runs; });
    const std::string said = most->words.empty() ? "" : ": " + most->words;
    switch (static_cast<Kind>(most - disturbances_.begin())) {
        case Kind::late: break;
        case Kind::unanswered: return "commands were not answered in time in most runs" + said;
        case Kind::disconnected: return "the server ended or refused connections" + said;
        case Kind::refused: return "the server refused commands" + said;
        case Kind::clock: return "somebody set the machine's clock in most runs";
        case Kind::driver: return "its driver was too slow by itself in most runs" + said;
    }
    return "the machine was too slow for most runs";
}

std::optional<Hazard> CampaignCount::never_struck() const {
    for (const HazardRow& row : kHazards) {
        if (budget_[row.hazard] > 0 && strikes(row.hazard) == 0) return row.hazard;
    }
    return std::nullopt;
}

Verdict CampaignCount::verdict() const {
    return why_unknown().empty() ? tally_.verdict() : Verdict::unknown;
}

std::string CampaignCount::why_unknown() const {
    if (!shows_nothing_.empty()) return shows_nothing_;
    const Verdict counted = tally_.verdict();
    if (counted == Verdict::violated || counted == Verdict::stuck) return {};
    if (!threw_.empty()) return threw_;
    if (!complete_) {
        return "the campaign was cut short" + (why_cut_short_.empty() ? "" : ": " + why_cut_short_);
    }
    if (disturbed_runs_ > tally_.runs()) return why_disturbed();
    if (tally_.grants() == 0) return no_grant_.empty() ? "there was no grant" : no_grant_;
    if (!vacuous_.empty()) return vacuous_;
    if (const auto hazard = never_struck()) {
        return std::string(name_of(*hazard)) + " struck in no run";
    }
    return {};
}

std::uint64_t CampaignCount::runs_to(double bound) const {
    const Verdict counted = tally_.verdict();
    const bool is_over = is_broken(counted) || !shows_nothing_.empty() || !threw_.empty();
    if (is_over || !complete_ || tally_.bound() <= bound) return 0;
    return runs_for(bound) - (tally_.runs() - tally_.unknown_runs());
}

std::optional<std::uint64_t> CampaignCount::witness() const {
    if (!shows_nothing_.empty()) return std::nullopt;
    if (violated_) return violated_->run;
    if (stuck_) return stuck_->run;
    return std::nullopt;
}

std::optional<CampaignCount::Stuck> CampaignCount::stuck() const {
    if (!stuck_) return std::nullopt;
    return Stuck{stuck_->run, stuck_->waiting};
}

std::optional<std::uint64_t> CampaignCount::false_refusal() const {
    if (!falsely_refused_) return std::nullopt;
    return falsely_refused_->run;
}

}  // namespace locklab
