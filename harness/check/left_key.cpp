#include "harness/check/left_key.h"

#include <algorithm>
#include <optional>
#include <set>

#include "harness/check/inside.h"

namespace locklab {

namespace {

using Effect = KeyEffect::Kind;

std::optional<Instant> deadline_of(const KeyChange& change) {
    const Duration ttl = change.effect.ttl;
    return ttl == Duration::zero() ? std::nullopt : std::optional(change.at + ttl);
}

/// If the order of executions is not known, a delete whose reply came after this command was sent
/// may have run after it.
bool may_be_removed_by_own(const KeyLog& log, std::size_t place) {
    const KeyChange& made = log.changes()[place];
    for (std::size_t i = place; i-- > 0 && !log.is_exact();) {
        const KeyChange& change = log.changes()[i];
        if (change.at < made.sent) return false;
        const bool removes = change.effect.kind == Effect::deleted &&
                             change.client == made.client && log.shows(made, change);
        if (removes) return true;
    }
    return false;
}

/// Whether the key created at this place in the key's log stayed until it expired.
bool ran_out(const KeyLog& log, std::size_t place, Instant at) {
    const auto changes = log.changes();
    const KeyChange& made = changes[place];
    std::optional<Instant> deadline = deadline_of(made);
    for (std::size_t i = place + 1; i < changes.size(); ++i) {
        const KeyChange& change = changes[i];
        if (!log.shows(made, change)) continue;
        if (log.fault(kLosesData, made.node, made.key, made.event, change.event) != nullptr)
            return false;
        switch (change.effect.kind) {
            case Effect::none: break;
            case Effect::extended:
                if (change.takes || change.found) return false;
                deadline = deadline_of(change);
                break;
            case Effect::created: return deadline && *deadline <= change.at;
            case Effect::replaced:
            case Effect::deleted: return false;
        }
    }
    if (log.fault(kLosesData, made.node, made.key, made.event, ~std::size_t{0}) != nullptr)
        return false;
    return !deadline || *deadline < at;
}

}  // namespace

void LeftKeys::add(const LeftKeys& other) {
    found += other.found;
    of += other.of;
}

void LeftKeyWatch::end_try(const Event& event, std::size_t place, bool failed) {
    Client& client = clients_[event.client];
    if (failed) ++failed_;
    const bool may_have = client.has_made || !client.open.empty();
    if (failed && may_have) client.failed.push_back({client.try_from, event.at, place});
    client.try_from = event.at;
    client.has_made = false;
    client.open.clear();
}

void LeftKeyWatch::see(const Event& event, std::size_t place) {
    if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
        const bool of_try = event.phase == Phase::acquire && sent->node != kOracle;
        if (of_try) clients_[event.client].open.insert(sent->call);
    } else if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
        if (ran->effect.kind == Effect::created) clients_[event.client].has_made = true;
    } else if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
        if (!replied->reply.is_unknown()) clients_[event.client].open.erase(replied->call);
    } else if (std::holds_alternative<event::Refused>(event.detail) ||
               std::holds_alternative<event::Failed>(event.detail)) {
        end_try(event, place, true);
    } else if (std::holds_alternative<event::Granted>(event.detail) ||
               std::holds_alternative<event::Wants>(event.detail) || is_crash(event)) {
        end_try(event, place, false);
    }
}

/// The failed try in which the command was sent.
const LeftKeyWatch::Try* LeftKeyWatch::try_of(const KeyChange& made) const {
    if (made.client.value >= clients_.values().size()) return nullptr;
    const std::vector<Try>& failed = clients_.values()[made.client.value].failed;
    const auto found = std::ranges::find_if(failed, [&](const Try& one) {
        const bool before = made.sent < one.until;
        return before || (made.sent == one.until && made.event < one.end);
    });
    return found != failed.end() && made.sent >= found->from ? &*found : nullptr;
}

LeftKeys LeftKeyWatch::end(const KeyLog& log, Instant at) const {
    std::set<std::size_t> left;  // by the event that ended each
    for (std::size_t i = 0; i < log.changes().size(); ++i) {
        const KeyChange& made = log.changes()[i];
        const bool counts = made.key == 0 && made.effect.kind == Effect::created && !made.takes &&
                            !made.found && made.phase == Phase::acquire &&
                            made.effect.source != KeyEffect::Source::uncertain;
        if (!counts) continue;
        const Try* const its = try_of(made);
        if (its == nullptr || may_be_removed_by_own(log, i)) continue;
        if (ran_out(log, i, at)) left.insert(its->end);
    }
    return {left.size(), log.is_shared() ? 0 : failed_};
}

}  // namespace locklab
