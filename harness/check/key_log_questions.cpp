// Questions of causes to a log.

#include <algorithm>
#include <charconv>
#include <vector>

#include "harness/check/key_log.h"

namespace locklab {

namespace {

/// A request that is on its way for longer has been lost.
constexpr Duration kLongestWay = std::chrono::seconds(1);
constexpr Duration kWholeSecond = std::chrono::seconds(1);

std::optional<std::int64_t> number_in(const std::string& token) {
    std::int64_t value = 0;
    const char* const last = token.data() + token.size();
    const auto [end, error] = std::from_chars(token.data(), last, value);
    if (token.empty() || error != std::errc() || end != last || value < 0) return std::nullopt;
    return value;
}

}  // namespace

bool KeyChange::has_argument(const std::string& word) const {
    if (arguments == nullptr || word.empty()) return false;
    return arguments->find('\0' + word + '\0') != std::string::npos;
}

const Claim& KeyLog::claim_of(const Inside& stay) const {
    const auto claim =
        std::lower_bound(claims_.begin(), claims_.end(), stay.begin,
                         [](const Claim& c, std::size_t granted) { return c.granted < granted; });
    LOCKLAB_ASSERT(claim != claims_.end() && claim->granted == stay.begin);
    return *claim;
}

bool KeyLog::went_elsewhere(const Claim& claim, std::size_t after, std::size_t before) const {
    return std::any_of(changes_.begin() + static_cast<std::ptrdiff_t>(after),
                       changes_.begin() + static_cast<std::ptrdiff_t>(before),
                       [&](const KeyChange& change) {
                           return change.round == claim.round && failed_over(change.event) &&
                                  change.node != changes_[before].node;
                       });
}

bool KeyLog::frees_own(std::size_t place) const {
    const KeyChange& freed = changes_[place];
    // A client that found no key may have come after the delete, though its reply came before.
    std::vector<std::uint32_t> came_after;
    const auto may_follow = [&](const KeyChange& change) {
        return change.effect.kind == KeyEffect::Kind::created && change.round != freed.round &&
               change.at >= earliest(freed);
    };
    for (std::size_t i = place; i-- > 0;) {
        const KeyChange& put = changes_[i];
        const bool there = put.node == freed.node && put.key == freed.key;
        if (!there || put.effect.kind == KeyEffect::Kind::extended) continue;
        if (!may_follow(put)) {
            return put.round == freed.round && has_time_left(i, place, came_after);
        }
        came_after.push_back(put.round);
    }
    return false;
}

bool KeyLog::has_time_left(std::size_t put, std::size_t place,
                           const std::vector<std::uint32_t>& but_for) const {
    if (changes_[put].effect.kind == KeyEffect::Kind::deleted) return false;
    bool may_expire = false;
    for (std::size_t i = put; i < place; ++i) {
        const KeyChange& change = changes_[i];
        const bool is_of_another = std::ranges::find(but_for, change.round) != but_for.end();
        const bool there = change.node == changes_[put].node && change.key == changes_[put].key;
        if (!there || is_of_another) continue;
        const Duration ttl = change.effect.ttl;
        if (ttl == Duration::zero()) continue;
        if (changes_[place].at < earliest(change) + ttl) return true;
        may_expire = true;
    }
    return !may_expire;
}

Instant KeyLog::earliest(const KeyChange& change) const {
    return is_exact() ? change.at : std::min(change.at, change.sent);
}

bool KeyLog::has_deadline_in_value(const Claim& claim) {
    return number_in(claim.token).has_value();
}

Duration KeyLog::early_by(const Claim& claim) const {
    const bool has_ttl = claim.taking && changes_[*claim.taking].effect.ttl != Duration::zero();
    const std::optional<std::int64_t> deadline = number_in(claim.token);
    const bool in_value = !has_ttl && deadline.has_value();
    if (!in_value || claim.lease == Duration::zero()) return Duration::zero();
    const Duration unit = clock_unit_ == Duration::zero() ? kWholeSecond : clock_unit_;
    if (began_ != WallTime() && *deadline < us(began_) / unit.count()) return Duration::zero();
    return claim.lease % unit == Duration::zero() ? unit : Duration::zero();
}

const Struck* KeyLog::fault(HazardSet hazards, NodeId node, std::uint32_t key, std::size_t after,
                            std::size_t before) const {
    return fault_from(std::ranges::upper_bound(faults_, after, {}, &Struck::event), hazards, node,
                      key, before);
}

const Struck* KeyLog::fault_since(HazardSet hazards, NodeId node, std::uint32_t key, Instant since,
                                  std::size_t before) const {
    return fault_from(std::ranges::lower_bound(faults_, since, {}, &Struck::at), hazards, node, key,
                      before);
}

const Struck* KeyLog::fault_from(std::vector<Struck>::const_iterator next, HazardSet hazards,
                                 NodeId node, std::uint32_t key, std::size_t before) const {
    for (; next != faults_.end() && next->event < before; ++next) {
        const bool strikes_key = next->key.value_or(key) == key && hazards.contains(next->hazard);
        if (strikes_key && shows(node, next->node, next->event)) return &*next;
    }
    return nullptr;
}

bool KeyLog::struck(HazardSet hazards, ClientId client, std::size_t before) const {
    return std::any_of(faults_.begin(), faults_.end(), [&](const Struck& struck) {
        return struck.event < before && struck.client == client && hazards.contains(struck.hazard);
    });
}

bool KeyLog::told_late(const Claim& claim, const KeyChange& change) const {
    return std::any_of(faults_.begin(), faults_.end(), [&](const Struck& struck) {
        const bool was_late =
            row_of(struck.hazard).size == FaultSize::reply_delay && struck.call >= change.call;
        // With its reply lost, the client takes another reply for its grant, or none.
        const bool loses = struck.hazard == Hazard::lose_reply || struck.hazard == Hazard::reset;
        const bool was_lost = loses && struck.call == change.call;
        // Drivers get late what was sent to them through a partition.
        const bool was_cut = cuts_link(struck.hazard) && struck.node == change.node &&
                             struck.at + struck.amount > change.at;
        return (was_late || was_lost || was_cut) && struck.client == change.client &&
               struck.event < claim.granted;
    });
}

bool KeyLog::may_have_run(std::uint32_t other_than, Instant since, Instant until) const {
    return std::any_of(unknown_.begin(), unknown_.end(), [&](const auto& command) {
        const Instant sent = command.second.sent;
        return command.second.round != other_than && sent <= until && sent + kLongestWay >= since;
    });
}

}  // namespace locklab
