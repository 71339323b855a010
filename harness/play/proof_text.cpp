#include "harness/play/proof_text.h"

#include <algorithm>
#include <initializer_list>

#include "harness/core/counted.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"

namespace locklab {

namespace {

std::string phases_text(const Coverage& coverage, Hazard hazard) {
    std::string text;
    for (const Phase phase : kEveryPhase) {
        if (!coverage.has_struck(hazard, phase)) continue;
        text += (text.empty() ? "" : ", ") + std::string(name_of(phase));
    }
    return text;
}

/// ", answered only NOSCRIPT": the command did nothing.
std::string errors_text(const Coverage& coverage, const SentCommand& command) {
    std::string text;
    for (const std::string& error : coverage.only_errors(command.shape)) {
        text += (text.empty() ? ", answered only " : " or ") + error;
    }
    return text;
}

/// ", B has a TTL of 500ms"
std::string unequal_text(const UnequalClients& clients) {
    std::string text;
    for (const ClientOptions& own : clients) {
        text +=
            std::string(", ") + static_cast<char>('A' + own.client.value) + " " + to_string(own);
    }
    return text;
}

}  // namespace

std::string search_text(const Bounds& bounds) {
    return counted(bounds.clients, "client") + ", " + counted(bounds.rounds, "round") + ", " +
           counted(bounds.attempts, "attempt") +
           (bounds.servers == 1 ? "" : ", " + counted(bounds.servers, "server")) +
           (bounds.leaves > 0
                ? ", " + counted(bounds.leaves, "client") + " may leave without a release"
                : "") +
           unequal_text(bounds.unequal) +
           (bounds.takes_again ? ", each job takes the lock twice" : "") +
           (bounds.any_length ? "" : ", exact lengths");
}

std::string bounds_text(const Explored& explored) {
    const Verdict verdict = explored.result.verdict;
    const bool one = verdict == Verdict::violated || verdict == Verdict::stuck ||
                     explored.proofs.empty() || explored.proofs[0].searches.size() == 1;
    if (one) return "  " + search_text(explored.bounds) + "\n";
    std::string text;
    for (const Searched& searched : explored.proofs[0].searches) {
        text += "  " + search_text(searched.bounds);
        const Duration wait = searched.bounds.wait;
        if (wait != explored.bounds.wait) text += ", " + to_string(wait) + " between two tries";
        text += "\n";
    }
    return text;
}

std::string lengths_text(const Explored& explored) {
    FaultBudget all = explored.bounds.faults;
    for (const Proof& proof : explored.proofs) {
        for (const HazardRow& row : kHazards) all[row.hazard] += proof.faults[row.hazard];
    }
    const bool proves = explored.result.verdict == Verdict::holds;
    return lengths_text(explored.bounds, all) +
           (proves ? "  tries begin as something ends or runs out, not between two such moments\n"
                     "  the lock has no state or clock but its own: runs made again later were the "
                     "same\n"
                   : "");
}

std::string lengths_text(const Bounds& bounds, const FaultBudget& of) {
    const auto strikes = [&](FaultSize size) { return of.has(size); };
    const std::string up_to = bounds.any_length ? " up to " : " ";
    const Duration ttl = bounds.options.ttl;
    std::string text = (ttl == Duration::zero() ? "  no TTL" : "  TTL " + to_string(ttl)) +
                       "; job" + up_to + to_string(bounds.job) + "; " + to_string(bounds.wait) +
                       " between two tries; time-out " + to_string(bounds.command_timeout);
    const auto say = [&](const char* what, Duration length, FaultSize size) {
        if (strikes(size)) text += what + to_string(length);
    };
    if (bounds.latency > Duration::zero()) {
        text +=
            "; request and reply on their way for" + up_to + to_string(bounds.latency) + " each";
    }
    say(("; slow job" + up_to).c_str(), bounds.slow_job, FaultSize::job);
    // A campaign draws longer jobs.
    for (const HazardRow& row : kHazards) {
        if (row.size != FaultSize::job || of[row.hazard] == 0 || ttl == Duration::zero()) continue;
        text += " (a campaign's " + up_to.substr(1) + to_string(ttl * row.amounts.most / 100) + ")";
    }
    say(("; pause or stall" + up_to).c_str(), bounds.pause, FaultSize::pause);
    say(("; server hangs" + up_to).c_str(), bounds.pause, FaultSize::hang);
    const bool loses_replies = of[Hazard::lose_reply] + of[Hazard::retry] > 0;
    if (strikes(FaultSize::hang) && (loses_replies || strikes(FaultSize::reply_delay))) {
        text += ", and no reply to what is sent meanwhile is lost or late";
    }
    const bool is_told = of.has([](const HazardRow& row) { return row.is_told_at_once; });
    if (strikes(FaultSize::hang) && is_told) {
        text += ", and no error answers, and no reset strikes, what is sent meanwhile";
    }
    say(("; a partition lasts" + up_to).c_str(), bounds.pause, FaultSize::cut);
    if (of.silences() && bounds.attempts_in_silence > 0) {
        const std::uint32_t most = bounds.attempts_in_silence;
        text += "; with such a fault at most " + std::to_string(most) +
                (most == 1 ? " try" : " tries") + " in a round";
    }
    say(("; request late by" + up_to).c_str(), bounds.delay, FaultSize::delay);
    say(("; reply late by" + up_to).c_str(), bounds.reply_delay(), FaultSize::reply_delay);
    say(", and then the time-out is ", bounds.late_timeout(), FaultSize::reply_delay);
    say("; clock wrong by ", bounds.clock, FaultSize::clock);
    say(("; outage" + up_to).c_str(), bounds.outage, FaultSize::outage);
    return text + "\n";
}

std::string claims_text(const Explored& explored) {
    if (explored.proofs.size() < 2) return "  faults " + to_string(explored.bounds.faults) + "\n";
    std::string text = "  what its row claims to survive:\n";
    for (const Proof& proof : explored.proofs) {
        text += "    " + to_string(proof.faults) + ": " + std::string(name_of(proof.verdict)) +
                (proof.why_unknown.empty() ? "" : ", " + proof.why_unknown) + "\n";
    }
    return text;
}

std::string deepened_text(const Explored& explored) {
    std::string text;
    for (const Proof& proof : explored.proofs) {
        if (proof.deeper.empty()) continue;
        const auto most = [&](auto of) {
            std::uint32_t far = 0;
            for (const Searched& searched : proof.deeper) {
                far = std::max(far, searched.bounds.*of);
            }
            return far;
        };
        text += "    " + to_string(proof.faults) + ": up to " +
                counted(most(&Bounds::rounds), "round") + ", " +
                counted(most(&Bounds::clients), "client") + ", " +
                counted(most(&Bounds::attempts), "attempt") + ", one at a time; " +
                counted(proof.states_spent, "state") + "\n";
    }
    if (text.empty()) return text;
    return "  deepened, without a find, until there were " + std::to_string(kStatesToDeepen) +
           " states, or " + std::to_string(kMostToDeepen) + " rounds or attempts:\n" + text;
}

std::string coverage_text(const Explored& explored) {
    const Coverage coverage = coverage_of(explored);
    std::string text = "  exercised:";
    for (const SentCommand& command : coverage.sent) {
        text += (text.back() == ':' ? " " : "; ") + command.shape + " (" +
                std::string(name_of(command.phase)) + errors_text(coverage, command) + ")";
    }
    if (coverage.sent.empty()) text += " no command of Redis";
    for (const HazardRow& row : kHazards) {
        if (!coverage.has_struck(row.hazard)) continue;
        text += "; " + std::string(row.name) + " (" + phases_text(coverage, row.hazard) + ")";
    }
    if (coverage.ran_out) text += "; a time to live ran out";
    if (coverage.ran_out_inside) text += ", also while its holder was inside";
    if (explored.algorithm->fences) {
        text += explored.bounds.orders_tokens() ? "; the order of fencing tokens"
                : explored.bounds.servers > 1
                    ? "; not the order of fencing tokens, as there are several servers"
                    : "; not the order of fencing tokens, as messages take time";
    }
    return text + "\n";
}

Coverage coverage_of(const Explored& explored) {
    Coverage coverage = explored.exercised.value_or(Coverage());
    for (const Proof& proof : explored.proofs) coverage.add(proof.coverage);
    return coverage;
}

}  // namespace locklab
