#include "harness/campaign/cell_text.h"

#include <cstdio>
#include <string_view>

#include "harness/campaign/swarm_text.h"
#include "harness/core/counted.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"

namespace locklab {

namespace {

/// The faults of a campaign's runs.
std::string faults_text(const RunSpec& spec, bool is_swarm) {
    const std::string faults = (is_swarm ? "a swarm of " : "") + to_string(spec.budget);
    if (spec.pauses.every == Duration::zero()) return faults;
    const std::string planned = spec.budget == FaultBudget() ? "" : faults + " and ";
    return planned + "a pause of " + to_string(spec.pauses.length) + " every " +
           to_string(spec.pauses.every);
}

std::string disturbances_text(const CampaignCount& count) {
    std::string text = ", left out as disturbed " + std::to_string(count.disturbed_runs());
    for (std::size_t i = 0; i < kDisturbances.size(); ++i) {
        const auto kind = static_cast<Disturbance::Kind>(i);
        if (count.words_of(kind).empty()) continue;
        text += " (" + std::string(kDisturbances[i]) + ": " + count.words_of(kind) + ")";
    }
    return text;
}

/// Empty if there were none.
std::string errors_text(const Tally& tally) {
    if (tally.first_error().empty()) return {};
    return "\n  answers that were errors " + std::to_string(tally.error_answers()) +
           ", tries that ended with one " + std::to_string(tally.failed_tries()) +
           "; the first: " + tally.first_error();
}

/// "client 1 and client 2": those that never got the lock.
std::string stuck_text(const CampaignCount::Stuck& stuck) {
    std::string who;
    for (std::size_t i = 0; i < stuck.clients.size(); ++i) {
        if (i > 0) who += i + 1 < stuck.clients.size() ? ", " : " and ";
        who += "client " + std::to_string(stuck.clients[i].value);
    }
    return "\n  stuck in run " + std::to_string(stuck.run) + ": " + who +
           (stuck.clients.size() == 1 ? " wants the lock, " : " want the lock, ") +
           "no live client holds it, and it is never granted again";
}

std::string causes_text(const CauseCounts& causes) {
    std::string text;
    for (const CauseRow& row : kCauses) {
        if (causes[row.cause] == 0) continue;
        if (!text.empty()) text += ", ";
        text += std::string(row.name) + " " + std::to_string(causes[row.cause]);
    }
    return text;
}

std::string number(double value, const char* format = "%.3g") {
    char digits[32];
    std::snprintf(digits, sizeof digits, format, value);
    return digits;
}

/// "holds (95 %: something goes wrong in at most 1.14 % of runs)"
std::string verdict_text(const CampaignCount& count) {
    const Verdict verdict = count.verdict();
    std::string text(name_of(verdict));
    if (!count.why_unknown().empty()) text += " (" + count.why_unknown() + ")";
    if (!is_clean(verdict)) return text;
    text += " (95 %: something goes wrong in at most " + number(100 * count.tally().bound()) +
            " % of runs";
    if (verdict == Verdict::not_seen) {
        text += "; holds is said from " + std::to_string(runs_for(kMostLeftOpen)) + " runs on";
    }
    return text + ")";
}

/// With overlaps, a bootstrap over runs; without, what the runs leave open, unless the verdict says
/// it.
std::string interval_text(const Rate& rate, const CampaignCount& count) {
    const Tally& tally = count.tally();
    if (tally.overlaps() > 0) {
        return ", 95 % interval " + number(rate.low) + " to " + number(rate.high);
    }
    if (is_clean(count.verdict())) return {};
    const Rate share = tally.violated_share();
    return ", 95 %: in at most " + number(100 * share.high) + " % of runs";
}

/// A line for each oracle that found something and has no other line.
std::string oracles_text(const CampaignCount& count) {
    const OracleTally& oracles = count.oracles();
    std::string text;
    for (const OracleRow& row : kOracles) {
        const OracleTally::Sum& sum = oracles.of(row.oracle);
        if (sum.found_in == 0 || row.is_of_notices || row.is_of_verdict) continue;
        text += "\n  " + std::string(row.meaning) + ": ";
        const auto verdict = oracles.verdict(row);
        if (verdict) text += std::string(name_of(*verdict)) + ", ";
        text += std::to_string(sum.count.found) + " of " + std::to_string(sum.count.of) + " " +
                std::string(row.chances) + ", in " + counted(sum.found_in, "run") + ", as in run " +
                std::to_string(*sum.run);
        if (!verdict) {
            text += " (no verdict: time was real, and the machine up to " +
                    to_string(count.worst_lag()) + " late)";
        }
    }
    return text;
}

/// Clients that lost the lock while inside, and clients that were told so in error.
std::string notices_text(const Notices& notices) {
    std::string text;
    if (notices.losses > 0) {
        text += "\n  lost the lock while inside " + std::to_string(notices.losses) + ": told " +
                std::to_string(notices.told) + ", never told " +
                std::to_string(notices.never_told) + ", after at most " +
                to_string(notices.longest);
    }
    if (notices.late > 0) {
        text += "\n  told late " + std::to_string(notices.late) + " of " +
                std::to_string(notices.losses) + ", later than the lock's renewals promise";
    }
    if (notices.false_alarms > 0) {
        text += "\n  false alarms " + std::to_string(notices.false_alarms) +
                ", told of a loss that was none";
    }
    return text;
}

/// Tasks and locks of each client, and clients with options of their own.
std::string clients_text(const RunSpec& spec) {
    std::string text;
    if (spec.tasks > 1) {
        text = "\n  each client has " + std::to_string(spec.tasks) +
               " tasks, which share one lock object";
    }
    if (spec.resources > 1) {
        text += "\n  each client takes " + std::to_string(spec.resources) +
                " locks one inside the other, " +
                (spec.workload.same_order ? "all in the same order"
                                          : "each beginning with another one");
    }
    for (const ClientOptions& own : spec.unequal) {
        text += "\n  client " + std::to_string(own.client.value) + " (" +
                static_cast<char>('A' + own.client.value) + ") " + to_string(own);
    }
    return text;
}

}  // namespace

std::string cell_text(const RunSpec& spec, const CampaignCount& count, const std::string& replay,
                      bool had_fences) {
    const Tally& tally = count.tally();
    const Rate rate = tally.overlaps_per_1000_grants();
    const WaitPercentiles waits = tally.waits();
    std::string text = std::string(spec.algorithm->name) + " under " +
                       faults_text(spec, count.swarm().has_value()) + ": " + verdict_text(count);
    const bool nothing_fails =
        spec.budget == FaultBudget() && spec.pauses.every == Duration::zero();
    if (nothing_fails && tally.stuck_until_ttl_runs() > 0) {
        text += ", and though nothing fails, a client waits " +
                to_string(tally.longest_orphan_wait()) + " for a lock that nobody holds, in " +
                counted(tally.stuck_until_ttl_runs(), "run");
    }
    text += clients_text(spec);
    text += "\n  " + std::to_string(tally.runs()) + " runs, " + std::to_string(tally.grants()) +
            " grants; violated " + std::to_string(tally.violated_runs()) + ", stuck " +
            std::to_string(tally.stuck_runs()) + ", waited for a TTL " +
            std::to_string(tally.stuck_until_ttl_runs());
    if (count.disturbed_runs() > 0) text += disturbances_text(count);
    if (count.why_unknown().empty() && !count.why_cut_short().empty()) {
        text += "\n  cut short: " + count.why_cut_short();
    }
    if (const auto stuck = count.stuck()) text += stuck_text(*stuck);
    text += errors_text(tally);
    if (!count.threw().empty() && count.threw() != count.why_unknown()) {
        text += "\n  in some runs " + count.threw();
    }
    text += "\n  overlaps " + std::to_string(tally.overlaps()) + " (" + number(rate.value) +
            " per 1,000 grants" + interval_text(rate, count) + "), lost updates " +
            std::to_string(tally.lost_updates()) + " (of " + std::to_string(tally.writes()) +
            " writes " + std::to_string(tally.erased_writes()) + " erased), ";
    text += had_fences ? "fence inversions " + std::to_string(tally.fence_inversions())
                       : "fences not looked at";
    if (tally.denied() > 0) {
        text += "\n  the resource refused " + std::to_string(tally.denied()) +
                (spec.guards_writes ? " reads and writes for their token"
                                    : " reads and writes for their fencing token");
    }
    if (const std::string causes = causes_text(tally.causes()); !causes.empty()) {
        text += "\n  causes: " + causes;
        const std::uint64_t others = tally.only_counted();
        if (others > 0) text += ", not looked for " + std::to_string(others);
    }
    if (count.swarm()) text += swarm_text(spec.budget, *count.swarm());
    text += notices_text(tally.notices()) + oracles_text(count);
    if (const Refusals& refusals = tally.refusals(); refusals.falsely() > 0) {
        text += "\n  false refusals " + std::to_string(refusals.falsely()) + " of " +
                std::to_string(refusals.refused) +
                " refused tries (the lock was the caller's own " + std::to_string(refusals.of_own) +
                ", nobody's " + std::to_string(refusals.of_nobodys) + "), as in run " +
                std::to_string(*count.false_refusal());
    }
    text += "\n  " + number(tally.throughput_per_s()) + " grants/s, wait p50 " +
            to_string(waits.p50) + ", p99 " + to_string(waits.p99) + ", max " +
            to_string(waits.max) + "; " + number(tally.commands_per_grant()) +
            " commands per grant, " + std::to_string(count.oracles().busiest_second()) +
            " in the worst second, Jain " + number(tally.jain(), "%.2f");
    if (!replay.empty()) text += "\n  replay: " + replay;
    return text + "\n";
}

}  // namespace locklab
