// Questions of causes about two claims, and about what came between them.

#include <algorithm>

#include "harness/check/key_log.h"

namespace locklab {

namespace {

/// How far, in commands, a command may stand from its true place in a live history.
constexpr std::size_t kNear = 64;

/// Whether a server comes back with data from some time ago.
bool brings_back(Hazard hazard) { return row_of(hazard).size == FaultSize::age; }

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> KeyLog::last_meeting(const Claim& first,
                                                                        const Claim& second) const {
    for (auto end = second.taking; end; end = changes_[*end].beside) {
        for (auto begin = first.taking; begin; begin = changes_[*begin].beside) {
            const bool met = shows(changes_[*end], changes_[*begin]);
            if (met && *begin < *end) return std::pair(*begin, *end);
        }
    }
    return std::nullopt;
}

bool KeyLog::lost_between(const Claim& first, const Claim& second) const {
    const std::size_t until = changes_[*second.taking].event;
    return std::ranges::any_of(faults_, [&](const Struck& fault) {
        if (!fault.key || fault.event >= until) return false;
        return std::ranges::any_of(changes_, [&](const KeyChange& change) {
            return change.round == first.round && change.key == *fault.key &&
                   change.event < fault.event && shows(fault.node, change.node, change.event);
        });
    });
}

bool KeyLog::rest_on_one_value(const Claim& one, const Claim& other) const {
    for (auto its = one.taking; its; its = changes_[*its].beside) {
        for (auto mine = other.taking; mine; mine = changes_[*mine].beside) {
            if (changes_[*its].written == changes_[*mine].written) return true;
        }
    }
    return false;
}

bool KeyLog::are_at_one_server(const Claim& one, const Claim& other) const {
    for (auto its = one.taking; its; its = changes_[*its].beside) {
        for (auto mine = other.taking; mine; mine = changes_[*mine].beside) {
            if (changes_[*its].node == changes_[*mine].node) return true;
        }
    }
    return false;
}

bool KeyLog::may_have_had(std::uint32_t round, const std::string& token) const {
    const auto last = claims_of_.find(round);
    if (last == claims_of_.end()) return true;
    for (std::optional<std::size_t> claim = last->second; claim;
         claim = claims_[*claim].same_round) {
        if (claims_[*claim].token == token) return true;
    }
    return false;
}

bool KeyLog::may_have_come_back(const Claim& claim) const {
    const bool had_one = std::ranges::any_of(claims_, [&](const Claim& before) {
        return before.client == claim.client && before.granted < claim.granted && before.taking;
    });
    if (!had_one) return false;
    return std::ranges::any_of(faults_, [&](const Struck& fault) {
        const bool came_back = brings_back(fault.hazard) && fault.event < claim.granted;
        return came_back && std::ranges::none_of(changes_, [&](const KeyChange& change) {
                   return change.key == 0 && shows(fault.node, change.node, change.event) &&
                          change.event > fault.event && change.event < claim.granted;
               });
    });
}

void KeyLog::end_at_release(Inside& stay) const {
    if (stay.way != Inside::Way::released) return;
    const Claim& claim = claim_of(stay);
    for (std::size_t i = claim.taking.value_or(changes_.size()); i < changes_.size(); ++i) {
        const KeyChange& change = changes_[i];
        if (change.event >= stay.end) return;
        const bool releases = change.round == claim.round && change.event > claim.granted &&
                              change.effect.kind == KeyEffect::Kind::deleted &&
                              change.phase != Phase::background;
        if (!releases) continue;
        stay.until = std::clamp(change.sent, stay.from, stay.until);
        stay.end = change.event;
    }
}

std::optional<std::size_t> KeyLog::perhaps_deleted(const Claim& claim, std::size_t begin,
                                                   std::size_t end) const {
    if (is_exact()) return std::nullopt;
    const std::size_t past = std::min(end + kNear, changes_.size());
    for (std::size_t i = begin - std::min(begin, kNear); i < past; ++i) {
        const KeyChange& change = changes_[i];
        const bool in_between = shows(changes_[end], change) &&
                                change.at >= earliest(changes_[begin]) &&
                                earliest(change) <= changes_[end].at;
        if (!in_between || change.round == claim.round) continue;
        if (change.effect.kind == KeyEffect::Kind::deleted && !frees_own(i)) return i;
    }
    return std::nullopt;
}

}  // namespace locklab
