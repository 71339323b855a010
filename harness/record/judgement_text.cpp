#include "harness/record/judgement_text.h"

#include <algorithm>

#include "harness/check/oracle.h"

namespace locklab {

namespace {

constexpr std::size_t kMostInText = 5;

std::string seconds(std::int64_t micros) {
    std::string fraction = std::to_string(micros % 1'000'000);
    fraction.insert(0, 6 - fraction.size(), '0');
    return std::to_string(micros / 1'000'000) + "." + fraction + " s";
}

std::string counted(std::uint64_t count, const std::string& noun, const std::string& many) {
    return std::to_string(count) + " " + (count == 1 ? noun : many);
}
std::string counted(std::uint64_t count, const std::string& noun) {
    return counted(count, noun, noun + "s");
}

std::string sentence(const Violation& violation, const Judgement& judgement) {
    const std::string the_lock = judgement.locks == 1 ? "the lock" : name_of(violation.lock);
    const std::string who = "client " + std::to_string(violation.client.value) + " ";
    const std::string grant = std::to_string(violation.grant);
    const std::string other = std::to_string(violation.other);
    switch (violation.kind) {
        case Violation::Kind::overlap: {
            if (violation.sharing > 0) {
                return who + "was granted " + the_lock + " (grant " + grant + ") as one of " +
                       std::to_string(violation.sharing) + " that share it, where " +
                       std::to_string(judgement.permits) + " may; grant " + other +
                       " was inside longest";
            }
            const bool instant = violation.duration == Duration::zero();
            return who + "was granted " + the_lock + " (grant " + grant + ") while grant " + other +
                   " was inside, and both were " +
                   (instant ? "at that instant" : "for " + seconds(us(violation.duration)));
        }
        case Violation::Kind::lost_update:
            return who + "overwrote (grant " + grant + ") an update" +
                   (violation.other == 0 ? "" : " of grant " + other) + " that it had not read";
        case Violation::Kind::fence_inversion: break;
    }
    if (violation.token != 0) {
        return who + "was granted " + the_lock + " (grant " + grant + ") with fencing token " +
               std::to_string(violation.token) + ", and grant " + other + " had had " +
               std::to_string(violation.other_token) + " before";
    }
    return who + "wrote under grant " + grant + " after grant " + other + " had written";
}

std::string broken(const Judgement& judgement) {
    if (judgement.overlaps > 0) {
        return judgement.permits == 1 ? "mutual exclusion was broken"
                                      : "more were inside at once than may be";
    }
    if (judgement.lost_updates > 0) return "an update was lost, though no two were inside at once";
    const bool writes = std::ranges::any_of(judgement.violations, [](const Violation& violation) {
        return violation.kind == Violation::Kind::fence_inversion && violation.token == 0;
    });
    return writes ? "a write came after one of a newer grant, though no two were inside at once"
                  : "a fencing token was not higher than that of a grant before";
}

std::string jumped(const RegisterJump& jump) {
    return "the register goes from version " + std::to_string(jump.from) + " to " +
           std::to_string(jump.to) + " at " + seconds(us(jump.at)) +
           "; each write adds one, so the history lacks writes, which may have been lost";
}

std::string reason(const Judgement& judgement) {
    switch (judgement.verdict) {
        case Verdict::holds:
            return judgement.permits == 1
                       ? "nobody was ever inside with another, and no update was lost"
                       : "never more were inside at once than may be, and no update was lost";
        case Verdict::violated: return broken(judgement);
        case Verdict::stuck:
            if (!judgement.deadlock.empty())
                return "deadlock: each waits for what the next one has";
            return "live clients wait for a lock that no live client holds";
        case Verdict::not_seen:  // only for many runs
        case Verdict::unknown: break;
    }
    if (judgement.shows_nothing) return judgement.why_unknown;
    if (judgement.grants > 0) return jumped(*judgement.first_jump);
    if (!judgement.errors.first.empty()) return judgement.why_unknown;
    return "there is no grant in the history, so it shows nothing";
}

std::string notices_text(const Notices& notices) {
    std::string text;
    if (notices.false_alarms > 0) {
        text = "false alarms: " + counted(notices.false_alarms, "holder") +
               " told of a loss that was none\n";
    }
    if (notices.losses == 0) return text;
    text += counted(notices.losses, "holder") +
            " lost the lock while inside: " + std::to_string(notices.told) + " told, " +
            std::to_string(notices.never_told) + " never told, after at most " +
            seconds(us(notices.longest)) + " (grant " + std::to_string(notices.longest_grant) +
            ")\n";
    if (notices.late == 0) return text;
    return text + "told late: " + std::to_string(notices.late) +
           " of them, later than the lock's renewals promise\n";
}

std::string refusals_text(const Refusals& refusals) {
    if (refusals.falsely() == 0) return {};
    return "false refusals: " + std::to_string(refusals.falsely()) + " of " +
           counted(refusals.refused, "refused try", "refused tries") +
           " (the lock was the caller's own " + std::to_string(refusals.of_own) + ", nobody's " +
           std::to_string(refusals.of_nobodys) + "), the first at " +
           seconds(us(refusals.first_at)) + " of client " +
           std::to_string(refusals.first_client.value) + "\n";
}

/// The oracles that no other line mentions.
std::string oracles_text(const Judgement& judgement) {
    std::string text;
    for (const OracleRow& row : kOracles) {
        const OracleCount count = count_of(row.oracle, judgement, Duration::zero());
        if (count.found == 0 || row.is_of_notices || row.is_of_verdict) continue;
        text += std::string(row.meaning) + ": " + std::to_string(count.found) + " of " +
                std::to_string(count.of) + " " + std::string(row.chances);
        if (!is_verdict(row, judgement.exact_clocks)) {
            text += " (no verdict: time was real, and a machine that is late can make it)";
        }
        text += "\n";
    }
    return text;
}

std::string clients_text(const Judgement& judgement) {
    std::string text;
    if (judgement.tasks > 1) {
        text += "clients 0 to " + std::to_string(judgement.tasks - 1) +
                ", and so on, are tasks of one process that share a lock object\n";
    }
    for (const ClientOptions& own : judgement.unequal) {
        text += "client " + std::to_string(own.client.value) + " " + to_string(own) + "\n";
    }
    return text;
}

std::string stuck_text(const Judgement& judgement) {
    std::string text;
    for (const WaitInCircle& wait : judgement.deadlock) {
        text += "deadlock: client " + std::to_string(wait.client.value) + " has " +
                name_of(wait.has) + " and waits for " + name_of(wait.wants) + "\n";
    }
    for (const ClientId client : judgement.liveness.waiting) {
        text += "stuck: client " + std::to_string(client.value) + "\n";
    }
    return text;
}

}  // namespace

std::string to_text(const Judgement& judgement) {
    std::string text(name_of(judgement.verdict));
    text += ": " + reason(judgement) + "\n";
    text += counted(judgement.grants, "grant") + " in " + seconds(us(judgement.duration)) + ": " +
            counted(judgement.overlaps, "overlap") + ", " +
            counted(judgement.lost_updates, "lost update") + ", " +
            counted(judgement.fence_inversions, "fence inversion") + "\n";
    if (judgement.denied > 0) {
        text += "the resource refused " +
                counted(judgement.denied, "read or write", "reads and writes") +
                " for the job's token\n";
    }
    text += clients_text(judgement);
    for (const CauseRow& row : kCauses) {
        const std::uint64_t count = judgement.causes[row.cause];
        if (count == 0) continue;
        text += "cause: " + std::string(row.name) + " " + std::to_string(count) + " (" +
                std::string(row.meaning) + ")\n";
    }
    if (judgement.only_counted > 0) {
        text += "cause: not looked for in " + std::to_string(judgement.only_counted) +
                " (after the first " + std::to_string(kMostOverlaps) + " overlaps)\n";
    }
    if (judgement.register_jumps > 0 && judgement.verdict != Verdict::unknown) {
        text += jumped(*judgement.first_jump) + "\n";
    }
    text += notices_text(judgement.notices);
    text += oracles_text(judgement);
    text += refusals_text(judgement.refusals);
    if (judgement.commands > 0) {
        text += counted(judgement.commands, "command") + ", at most " +
                std::to_string(judgement.busiest_second) + " of them in one second\n";
    }
    if (judgement.uncertain_effects > 0) {
        text += counted(judgement.uncertain_effects, "command") +
                " of which the replies do not tell what it did to the key\n";
    }
    if (judgement.liveness.longest_orphan_wait > Duration::zero()) {
        text += "client " + std::to_string(judgement.liveness.longest_waiter.value) + " waited " +
                seconds(us(judgement.liveness.longest_orphan_wait)) +
                " for a lock that no live client held, the longest of such waits\n";
    }
    text += stuck_text(judgement);
    if (!judgement.errors.first.empty()) {
        text += counted(judgement.errors.answers, "answer") + " with an error, " +
                counted(judgement.errors.tries, "try", "tries") +
                " ended with one; the first: " + judgement.errors.first + "\n";
    }
    const std::size_t shown = std::min(kMostInText, judgement.violations.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const Violation& violation = judgement.violations[i];
        text += "at " + seconds(us(violation.at)) + " " + sentence(violation, judgement) + ": " +
                std::string(name_of(violation.cause)) + "\n";
    }
    const std::uint64_t more = judgement.violations.size() - shown + judgement.only_counted;
    if (more > 0) text += "and " + std::to_string(more) + " more\n";
    return text;
}

}  // namespace locklab
