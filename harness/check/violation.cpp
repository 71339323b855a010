#include "harness/check/violation.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "harness/check/fence.h"
#include "harness/check/lost_update.h"

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
        std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
            return std::tie(a.grant, a.event, a.partner) < std::tie(b.grant, b.event, b.partner);
        });
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

std::vector<Violation> overlap_violations(const History& history, std::span<const Overlap> found) {
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

}  // namespace

std::vector<Violation> violations_of(const History& history, std::span<const Overlap> pairs) {
    std::vector<Violation> found = overlap_violations(history, pairs);
    const OverlapsOfGrant by_grant(found);
    for (const LostUpdate& lost : lost_updates(history)) {
        found.push_back(write_violation(history, by_grant, Kind::lost_update, lost.event,
                                        lost.grant, lost.victim));
    }
    for (const FenceInversion& inversion : fence_inversions(history)) {
        found.push_back(write_violation(history, by_grant, Kind::fence_inversion, inversion.event,
                                        inversion.grant, inversion.highest));
    }
    std::sort(found.begin(), found.end(), [](const Violation& a, const Violation& b) {
        return std::tie(a.event, a.kind, a.other) < std::tie(b.event, b.kind, b.other);
    });
    return found;
}

std::string_view name_of(Violation::Kind kind) {
    switch (kind) {
        case Kind::overlap: return "overlap";
        case Kind::lost_update: return "lost_update";
        case Kind::fence_inversion: return "fence_inversion";
    }
    return "?";
}

}  // namespace locklab
