#include "harness/record/judgement_text.h"

#include <algorithm>

namespace locklab {

namespace {

constexpr std::size_t kShown = 5;

std::string seconds(std::int64_t micros) {
    std::string fraction = std::to_string(micros % 1'000'000);
    fraction.insert(0, 6 - fraction.size(), '0');
    return std::to_string(micros / 1'000'000) + "." + fraction + " s";
}

std::string counted(std::uint64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string sentence(const Violation& violation) {
    const std::string who = "client " + std::to_string(violation.client.value) + " ";
    const std::string grant = std::to_string(violation.grant);
    const std::string other = std::to_string(violation.other);
    switch (violation.kind) {
        case Violation::Kind::overlap:
            return who + "was granted the lock (grant " + grant + ") while grant " + other +
                   " was inside, and both were for " + seconds(us(violation.duration));
        case Violation::Kind::lost_update:
            return who + "overwrote (grant " + grant + ") an update" +
                   (violation.other == 0 ? "" : " of grant " + other) + " that it had not read";
        case Violation::Kind::fence_inversion: break;
    }
    return who + "wrote under grant " + grant + " after grant " + other + " had written";
}

std::string reason(const Judgement& judgement) {
    switch (judgement.verdict) {
        case Verdict::holds: return "nobody was ever inside with another, and no update was lost";
        case Verdict::violated: return "mutual exclusion was broken";
        case Verdict::stuck: return "live clients wait for a lock that no live client holds";
        case Verdict::unknown: break;
    }
    return "there is no grant in the history, so it shows nothing";
}

}  // namespace

std::string to_text(const Judgement& judgement) {
    std::string text(name_of(judgement.verdict));
    text += ": " + reason(judgement) + "\n";
    text += counted(judgement.grants, "grant") + " in " + seconds(us(judgement.duration)) + ": " +
            counted(judgement.overlaps, "overlap") + ", " +
            counted(judgement.lost_updates, "lost update") + ", " +
            counted(judgement.fence_inversions, "fence inversion") + "\n";
    for (const CauseRow& row : kCauses) {
        const std::uint64_t count = judgement.causes[row.cause];
        if (count == 0) continue;
        text += "cause: " + std::string(row.name) + " " + std::to_string(count) + " (" +
                std::string(row.meaning) + ")\n";
    }
    for (const ClientId client : judgement.liveness.waiting) {
        text += "stuck: client " + std::to_string(client.value) + "\n";
    }
    const std::size_t shown = std::min(kShown, judgement.violations.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const Violation& violation = judgement.violations[i];
        text += "at " + seconds(us(violation.at)) + " " + sentence(violation) + ": " +
                std::string(name_of(violation.cause)) + "\n";
    }
    if (judgement.violations.size() > shown) {
        text += "and " + std::to_string(judgement.violations.size() - shown) + " more\n";
    }
    return text;
}

}  // namespace locklab
