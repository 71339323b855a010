#include "harness/check/violation.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace locklab {

namespace {

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

    /// The cause of the overlap with the grant whose write was hit; else, of the last overlap that
    /// the writer's grant was in by then.
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

std::vector<Violation> overlap_violations(const KeyLog& log, std::span<const Overlap> found) {
    std::vector<Violation> violations;
    violations.reserve(found.size());
    for (const Overlap& overlap : found) {
        Violation violation{Violation::Kind::overlap, overlap.later.begin, overlap.from(),
                            overlap.later.client};
        violation.grant = overlap.later.grant;
        violation.other = overlap.earlier.grant;
        violation.duration = overlap.duration();
        violation.sharing = overlap.sharing;
        violation.cause = cause_of(log, overlap);
        violations.push_back(violation);
    }
    return violations;
}

/// `Found`: an oracle's finding about a write.
template <class Found>
Violation write_violation(const OverlapsOfGrant& overlaps, Violation::Kind kind, const Found& found,
                          std::uint64_t other) {
    const std::optional<Cause> cause = overlaps.cause(found.grant, other, found.event);
    Violation violation{kind, found.event, found.at, found.client};
    violation.grant = found.grant;
    violation.other = other;
    violation.cause = cause.value_or(Cause::stale_write);
    violation.counts = !cause.has_value();
    return violation;
}

}  // namespace

std::vector<Violation> violations_of(const KeyLog& log, const Overlaps& pairs,
                                     std::span<const LostUpdate> lost,
                                     std::span<const FenceInversion> inversions,
                                     std::span<const StaleToken> stale) {
    std::vector<Violation> found = overlap_violations(log, pairs.listed);
    const OverlapsOfGrant by_grant(found);
    for (const LostUpdate& update : lost) {
        if (update.event >= pairs.listed_before) break;
        found.push_back(
            write_violation(by_grant, Violation::Kind::lost_update, update, update.victim));
    }
    for (const FenceInversion& one : inversions) {
        if (one.event >= pairs.listed_before) break;
        found.push_back(
            write_violation(by_grant, Violation::Kind::fence_inversion, one, one.highest));
    }
    for (const StaleToken& one : stale) {
        if (one.event >= pairs.listed_before) break;
        Violation violation{Violation::Kind::fence_inversion, one.event, one.at, one.client};
        violation.grant = one.grant;
        violation.other = one.before;
        violation.token = one.token;
        violation.other_token = one.before_token;
        violation.cause = one.cause;
        found.push_back(violation);
    }
    std::sort(found.begin(), found.end(), [](const Violation& a, const Violation& b) {
        return std::tie(a.event, a.kind, a.other) < std::tie(b.event, b.kind, b.other);
    });
    return found;
}

std::string_view name_of(Violation::Kind kind) {
    switch (kind) {
        case Violation::Kind::overlap: return "overlap";
        case Violation::Kind::lost_update: return "lost_update";
        case Violation::Kind::fence_inversion: return "fence_inversion";
    }
    return "?";
}

}  // namespace locklab
