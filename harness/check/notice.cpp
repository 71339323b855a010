#include "harness/check/notice.h"

#include <algorithm>
#include <optional>

namespace locklab {

namespace {

using Effect = KeyEffect::Kind;

/// The key of one grant while its holder is inside.
class Possession {
public:
    Possession(const KeyLog& log, const Claim& claim, std::size_t taking)
        : log_(log), claim_(claim), taking_(taking) {
        take(log.changes()[taking]);
    }

    /// When the key was lost that was not got back before the stay ended; none if it was not.
    std::optional<Instant> lost(const Inside& stay) {
        const auto changes = log_.changes();
        for (std::size_t i = taking_ + 1; i < changes.size(); ++i) {
            const KeyChange& change = changes[i];
            if (change.event >= stay.end) break;
            // After a failover the key is at both masters.
            const bool here = change.node == changes[taking_].node;
            if (!here && !log_.failed_over(change.event)) continue;
            see_faults_before(change.event);
            see(change);
        }
        see_faults_before(stay.end);
        run_out_before(stay.until);
        return lost_;
    }
    /// Whether the key was surely there from first to last, once lost() was asked.
    bool was_kept(const Inside& stay) const { return !was_lost_ && stay.until < least_deadline_; }

private:
    enum class Way : std::uint8_t { gone, overwritten, perhaps };

    void take(const KeyChange& change) {
        lost_.reset();
        set_deadline(change);
        seen_ = change.event;
    }
    void set_deadline(const KeyChange& change) {
        deadline_ = least_deadline_ = Instant::max();
        const Duration ttl = change.effect.ttl;
        if (ttl == Duration::zero()) return;
        deadline_ = change.at + ttl;
        least_deadline_ = log_.earliest(change) + ttl;
    }
    void lose(Instant at, Way way) {
        was_lost_ = true;
        if (!lost_ || way_ == Way::perhaps) way_ = way;
        if (!lost_) lost_ = at;
    }
    void run_out_before(Instant now) {
        if (!lost_ && deadline_ < now) lose(deadline_, Way::perhaps);
    }
    void see_faults_before(std::size_t place) {
        const NodeId node = log_.changes()[taking_].node;
        while (const Struck* fault = log_.fault(kLosesData, node, seen_, place)) {
            run_out_before(fault->at);
            if (!lost_) lose(fault->at, Way::perhaps);
            seen_ = fault->event;
        }
    }
    void see(const KeyChange& change) {
        const bool own = change.round == claim_.round;
        // Live: it may have run before the key was taken.
        const Instant taken = log_.changes()[taking_].at;
        if (!own && !log_.is_exact() && change.sent < taken) return;
        run_out_before(change.at);
        seen_ = std::max(seen_, change.event);
        switch (change.effect.kind) {
            case Effect::none: break;
            case Effect::created:
            case Effect::replaced:
                if (own) return take(change);
                lose(change.at, Way::overwritten);
                break;
            case Effect::extended:
                // It was still there: a deadline is a matter of clocks, a snapshot had the key.
                if (lost_ && way_ == Way::perhaps) lost_.reset();
                if (!lost_) set_deadline(change);
                break;
            case Effect::deleted: lose(change.at, Way::gone); break;
        }
    }

    const KeyLog& log_;
    const Claim& claim_;
    const std::size_t taking_;
    Instant deadline_ = Instant::max();        ///< never
    Instant least_deadline_ = Instant::max();  ///< of a live command that ran as early as it can
    std::optional<Instant> lost_;
    bool was_lost_ = false;  ///< also if it was got back
    Way way_ = Way::gone;
    std::size_t seen_ = 0;
};

/// At several servers: the last of its keys.
std::optional<Instant> lost_everywhere(const KeyLog& log, const Claim& claim, const Inside& stay) {
    std::optional<Instant> last;
    for (auto taking = claim.taking; taking; taking = log.changes()[*taking].beside) {
        const std::optional<Instant> lost = Possession(log, claim, *taking).lost(stay);
        if (!lost) return std::nullopt;
        last = std::max(last, lost);
    }
    return last;
}

/// Whether the history tells all that can have taken the key: each command's effect, and what the
/// server's clock says. Of a lock that is shared, one's own part may go while the key stays.
bool tells_all(const KeyLog& log, const Claim& claim, const Inside& stay) {
    const bool clock_moved = std::ranges::any_of(log.faults(), [&](const Struck& fault) {
        return fault.hazard == Hazard::server_clock_jump && fault.event < stay.end;
    });
    return !log.is_shared() && log.uncertain() == 0 && !claim.is_unsure && !clock_moved;
}

/// Whether each of its keys was there all the while, so that there was no loss to be told of.
bool kept_everywhere(const KeyLog& log, const Claim& claim, const Inside& stay) {
    for (auto taking = claim.taking; taking; taking = log.changes()[*taking].beside) {
        Possession possession(log, claim, *taking);
        if (possession.lost(stay) || !possession.was_kept(stay)) return false;
    }
    return tells_all(log, claim, stay);
}

}  // namespace

void NoticeWatch::see(const Event& event) {
    if (tells_within_ == Duration::zero()) return;
    Client& client = clients_[event.client];
    if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
        const bool rests = row_of(fault->hazard).size == FaultSize::pause;
        const auto call = client.calls.find(fault->call);
        if (fault->call != 0 && call != client.calls.end()) call->second.struck = true;
        // Nobody says how long it was: for ever.
        const Instant until =
            fault->amount > Duration::zero() ? event.at + fault->amount : Instant::max();
        if (rests) client.excused.push_back({event.at, until});
    } else if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
        client.calls[sent->call] = {event.at};
    } else if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
        const auto call = client.calls.find(replied->call);
        if (call == client.calls.end()) return;
        const bool hindered = call->second.struck || replied->reply.is_unknown();
        if (hindered) client.excused.push_back({call->second.sent, event.at});
        client.calls.erase(call);
    }
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
    for (auto& client : clients_.all()) {
        for (const auto& [number, call] : client.calls) {
            if (call.struck) client.excused.push_back({call.sent, Instant::max()});
        }
        std::sort(client.excused.begin(), client.excused.end(),
                  [](const Span& a, const Span& b) { return a.from < b.from; });
    }
    for (const Inside& stay : stays) {
        const Claim& claim = log.claim_of(stay);
        const bool over =
            stay.way != Inside::Way::crashed && stay.way != Inside::Way::granted_again;
        if (!claim.taking || !over) continue;
        const std::optional<Instant> lost = lost_everywhere(log, claim, stay);
        const bool told = stay.way == Inside::Way::told;
        if (!lost) {
            if (told && kept_everywhere(log, claim, stay)) ++notices.false_alarms;
            continue;
        }
        const Instant since = std::max(*lost, stay.from);
        const Duration delay = stay.until - since;
        ++notices.losses;
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
