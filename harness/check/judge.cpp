#include "harness/check/judge.h"

#include <algorithm>
#include <optional>

#include "harness/check/fence.h"
#include "harness/check/inside.h"
#include "harness/check/lost_update.h"
#include "harness/check/overlap.h"
#include "harness/check/per_client.h"

namespace locklab {

namespace {

using Kind = Violation::Kind;

/// Overlaps by each of their two grants, so that a write finds its own.
class OverlapsOfGrant {
public:
    explicit OverlapsOfGrant(const std::vector<Violation>& overlaps) {
        for (const Violation& overlap : overlaps) {
            rows_.push_back({overlap.grant, overlap.other, overlap.event, overlap.cause});
            rows_.push_back({overlap.other, overlap.grant, overlap.event, overlap.cause});
        }
        std::stable_sort(rows_.begin(), rows_.end(),
                         [](const Row& a, const Row& b) { return a.grant < b.grant; });
    }

    /// The cause of the overlap with the grant whose write was hit; failing that, of the last
    /// overlap that the writer's grant was in by then.
    std::optional<Cause> cause(std::uint64_t grant, std::uint64_t hit, std::size_t event) const {
        std::optional<Cause> found;
        auto row =
            std::lower_bound(rows_.begin(), rows_.end(), grant,
                             [](const Row& r, std::uint64_t value) { return r.grant < value; });
        for (; row != rows_.end() && row->grant == grant && row->event < event; ++row) {
            found = row->cause;
            if (row->partner == hit) break;
        }
        return found;
    }

private:
    struct Row {
        std::uint64_t grant;
        std::uint64_t partner;
        std::size_t event;
        Cause cause;
    };
    std::vector<Row> rows_;
};

std::vector<Violation> overlap_violations(const History& history,
                                          const std::vector<Overlap>& found) {
    std::vector<Violation> violations;
    if (found.empty()) return violations;
    const KeyLog log(history);
    violations.reserve(found.size());
    for (const Overlap& overlap : found) {
        violations.push_back({Kind::overlap, overlap.later.begin, overlap.from(),
                              overlap.later.client, overlap.later.grant, overlap.earlier.grant,
                              overlap.duration(), cause_of(log, overlap), true});
    }
    return violations;
}

Violation write_violation(const History& history, const OverlapsOfGrant& overlaps, Kind kind,
                          std::size_t place, std::uint64_t grant, std::uint64_t other) {
    const Event& event = history.events[place];
    const std::optional<Cause> cause = overlaps.cause(grant, other, place);
    return {kind,
            place,
            event.at,
            event.client,
            grant,
            other,
            Duration::zero(),
            cause.value_or(Cause::stale_write),
            !cause.has_value()};
}

void find_violations(const History& history, Judgement& judgement) {
    const std::vector<Inside> stays = stays_inside(history);
    const std::vector<Overlap> pairs = overlaps(stays);
    judgement.overlaps = pairs.size();
    judgement.grants_in_overlap = grants_affected(pairs);
    judgement.violations = overlap_violations(history, pairs);
    const OverlapsOfGrant by_grant(judgement.violations);
    for (const LostUpdate& lost : lost_updates(history)) {
        ++judgement.lost_updates;
        judgement.violations.push_back(write_violation(history, by_grant, Kind::lost_update,
                                                       lost.event, lost.grant, lost.victim));
    }
    for (const FenceInversion& inversion : fence_inversions(history)) {
        ++judgement.fence_inversions;
        judgement.violations.push_back(write_violation(history, by_grant, Kind::fence_inversion,
                                                       inversion.event, inversion.grant,
                                                       inversion.highest));
    }
    std::stable_sort(judgement.violations.begin(), judgement.violations.end(),
                     [](const Violation& a, const Violation& b) { return a.event < b.event; });
    for (const Violation& violation : judgement.violations) {
        if (violation.counts) ++judgement.causes[violation.cause];
    }
}

struct Client {
    std::uint64_t grants = 0;
    bool crashed = false;
    std::optional<Instant> wants;
};

void count(const History& history, Judgement& judgement) {
    PerClient<Client> clients;
    if (history.clients > 0) clients[ClientId{history.clients - 1}];
    for (const Event& event : history.events) {
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
            if (sent->node != kArbiter) ++judgement.commands;
        } else if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
            if (replied->reply.is_unknown()) ++judgement.unknown_answers;
        } else if (std::holds_alternative<event::Wants>(event.detail)) {
            clients[event.client].wants = event.at;
        } else if (std::holds_alternative<event::Granted>(event.detail)) {
            Client& client = clients[event.client];
            ++client.grants;
            ++judgement.grants;
            if (client.wants.has_value()) judgement.waits.push_back(event.at - *client.wants);
            client.wants.reset();
        } else if (is_crash(event)) {
            clients[event.client].crashed = true;
        }
    }
    for (const Client& client : clients.values()) {
        judgement.client_grants.push_back(client.grants);
        judgement.client_lived.push_back(client.crashed ? 0 : 1);
    }
    if (!history.events.empty()) judgement.duration = end_of(history) - history.events.front().at;
}

Verdict verdict_of(const Judgement& judgement) {
    if (!judgement.violations.empty()) return Verdict::violated;
    if (judgement.liveness.stuck) return Verdict::stuck;
    return judgement.grants == 0 ? Verdict::unknown : Verdict::holds;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds: return "holds";
        case Verdict::violated: return "violated";
        case Verdict::stuck: return "stuck";
        case Verdict::unknown: return "unknown";
    }
    return "?";
}

std::string_view name_of(Violation::Kind kind) {
    switch (kind) {
        case Kind::overlap: return "overlap";
        case Kind::lost_update: return "lost_update";
        case Kind::fence_inversion: return "fence_inversion";
    }
    return "?";
}

Judgement judge(const History& history) {
    Judgement judgement;
    find_violations(history, judgement);
    judgement.liveness = check_liveness(history);
    count(history, judgement);
    judgement.verdict = verdict_of(judgement);
    return judgement;
}

}  // namespace locklab
