#include "harness/check/notice.h"

#include <algorithm>
#include <optional>

#include "harness/check/possession.h"
#include "harness/core/drift.h"

namespace locklab {

namespace {

/// When the claim's key was lost at the last of its servers; nothing: it was not lost at all of
/// them.
std::optional<Instant> lost_everywhere(const KeyLog& log, const Claim& claim, const Inside& stay) {
    std::optional<Instant> last;
    for (auto taking = claim.taking; taking; taking = log.changes()[*taking].beside) {
        const std::optional<Instant> lost = Possession(log, claim, *taking).lost(stay);
        if (!lost) return std::nullopt;
        last = std::max(last, lost);
    }
    return last;
}

/// Whether the history tells everything that can have taken the key: each command's effect, and the
/// server's clock. Not for a shared lock, where one holder's part may go while the key stays.
bool tells_all(const KeyLog& log, const Claim& claim, const Inside& stay) {
    const bool clock_moved = std::ranges::any_of(log.faults(), [&](const Struck& fault) {
        const HazardRow& row = row_of(fault.hazard);
        const bool is_clock = row.target == FaultTarget::node && row.size == FaultSize::clock;
        return is_clock && fault.event < stay.end;
    });
    return !log.is_shared() && log.uncertain() == 0 && !claim.is_unsure && !clock_moved;
}

/// Whether each of the claim's keys was there all the time, so that there was no loss to tell.
bool kept_everywhere(const KeyLog& log, const Claim& claim, const Inside& stay) {
    for (auto taking = claim.taking; taking; taking = log.changes()[*taking].beside) {
        Possession possession(log, claim, *taking);
        if (possession.lost(stay) || !possession.was_kept(stay)) return false;
    }
    return tells_all(log, claim, stay);
}

/// Whether its lease goes on by what the client itself can know: from when it sent for it, or for
/// its last renewal, less what clocks may differ by. An answer that took longer than the lease
/// leaves nothing of it, though the key came later, and is still there.
bool is_valid_by_its_clock(const KeyLog& log, const Claim& claim, const Inside& stay,
                           const std::unordered_set<std::uint64_t>& unanswered) {
    const auto changes = log.changes();
    const auto end_of = [](const KeyChange& change) {
        return change.sent + change.effect.ttl - drift_over(change.effect.ttl);
    };
    for (auto taking = claim.taking; taking; taking = changes[*taking].beside) {
        const KeyChange& taken = changes[*taking];
        if (taken.effect.ttl == Duration::zero()) continue;
        Instant end = end_of(taken);
        for (std::size_t i = *taking + 1; i < changes.size(); ++i) {
            const KeyChange& change = changes[i];
            if (change.event >= stay.end) break;
            const bool renews = log.shows(taken, change) && change.client == claim.client &&
                                change.effect.kind == KeyEffect::Kind::extended &&
                                !unanswered.contains(change.call);
            if (renews) end = end_of(change);
        }
        if (end <= stay.until) return false;
    }
    return true;
}

}  // namespace

void NoticeWatch::see(const Event& event) {
    see_renewal(event);
    if (tells_within_ == Duration::zero()) return;
    Client& client = clients_[event.client];
    if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
        const bool rests = row_of(fault->hazard).size == FaultSize::pause;
        const auto call = client.calls.find(fault->call);
        if (fault->call != 0 && call != client.calls.end()) call->second.struck = true;
        // The history does not tell how long it was: assume for ever.
        const Instant until =
            fault->amount > Duration::zero() ? event.at + fault->amount : Instant::max();
        if (rests) client.excused.push_back({event.at, until});
        std::optional<ClientId> cut_off;
        if (cuts_link(fault->hazard)) cut_off = event.client;
        if (cut_off || hangs(fault->hazard)) {
            silences_.push_back({fault->node, cut_off, {event.at, until}});
        }
    } else if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
        client.calls[sent->call] = {event.at, sent->node};
    } else if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
        const auto call = client.calls.find(replied->call);
        if (call == client.calls.end()) return;
        const bool hindered = call->second.struck || replied->reply.is_unknown() ||
                              met_silence(event.client, call->second, event.at);
        if (hindered) client.excused.push_back({call->second.sent, event.at});
        client.calls.erase(call);
    }
}

void NoticeWatch::see_renewal(const Event& event) {
    if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
        if (event.phase == Phase::background) unanswered_.insert(sent->call);
    } else if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
        if (!replied->reply.is_unknown()) unanswered_.erase(replied->call);
    }
}

bool NoticeWatch::met_silence(ClientId client, const Call& call, Instant until) const {
    return std::ranges::any_of(silences_, [&](const Silence& silence) {
        return silence.node == call.node && silence.for_client.value_or(client) == client &&
               silence.span.from < until && call.sent < silence.span.until;
    });
}

Duration NoticeWatch::excused(ClientId client, Instant from, Instant until) {
    Duration sum{0};
    Instant reached = from;
    for (const Span& span : clients_[client].excused) {
        const Instant begin = std::max(span.from, reached);
        const Instant end = std::min(span.until, until);
        if (begin >= end) continue;
        sum += end - begin;
        reached = end;
    }
    return sum;
}

Notices NoticeWatch::end(const KeyLog& log, std::span<const Inside> stays) {
    Notices notices;
    for (std::uint32_t i = 0; i < clients_.all().size(); ++i) {
        Client& client = clients_[ClientId{i}];
        for (const auto& [number, call] : client.calls) {
            const bool hindered = call.struck || met_silence(ClientId{i}, call, Instant::max());
            if (hindered) client.excused.push_back({call.sent, Instant::max()});
        }
        std::sort(client.excused.begin(), client.excused.end(),
                  [](const Span& a, const Span& b) { return a.from < b.from; });
    }
    for (const Inside& stay : stays) {
        const Claim& claim = log.claim_of(stay);
        const bool over =
            stay.way != Inside::Way::crashed && stay.way != Inside::Way::granted_again;
        if (!claim.is_on_lock_key() || !over) continue;
        ++notices.stays;
        const std::optional<Instant> lost = lost_everywhere(log, claim, stay);
        const bool told = stay.way == Inside::Way::told;
        if (!lost) {
            const bool is_false = told && kept_everywhere(log, claim, stay) &&
                                  is_valid_by_its_clock(log, claim, stay, unanswered_);
            if (is_false) ++notices.false_alarms;
            continue;
        }
        const Instant since = std::max(*lost, stay.from);
        const Duration delay = stay.until - since;
        ++notices.losses;
        if (tells_within_ > Duration::zero()) ++notices.promised;
        ++(told ? notices.told : notices.never_told);
        if (delay > notices.longest) {
            notices.longest = delay;
            notices.longest_grant = stay.grant;
        }
        const bool late = tells_within_ > Duration::zero() &&
                          delay - excused(stay.client, since, stay.until) > tells_within_;
        if (late) ++notices.late;
    }
    return notices;
}

}  // namespace locklab
