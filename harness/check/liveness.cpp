#include "harness/check/liveness.h"

#include <algorithm>

#include "harness/check/inside.h"

namespace locklab {

void Liveness::add(Liveness&& other) {
    stuck = stuck || other.stuck;
    waiting.insert(waiting.end(), other.waiting.begin(), other.waiting.end());
    if (other.longest_orphan_wait > longest_orphan_wait) {
        longest_orphan_wait = other.longest_orphan_wait;
        longest_waiter = other.longest_waiter;
    }
    recoveries.insert(recoveries.end(), other.recoveries.begin(), other.recoveries.end());
}

namespace {

/// What matters of an event. Deaf: a message of its own was lost, and it waits for an answer until
/// it gives up. Heard: it was answered, and goes on without the lock.
enum class What : std::uint8_t { none, wants, granted, left, released, gone, crashed, deaf, heard };

What what_of(const Event& event) {
    const EventDetail& detail = event.detail;
    if (std::holds_alternative<event::Granted>(detail)) return What::granted;
    if (std::holds_alternative<event::Wants>(detail)) return What::wants;
    if (is_crash(event)) return What::crashed;
    if (std::holds_alternative<event::Finished>(detail)) return What::gone;
    if (std::holds_alternative<event::Released>(detail)) return What::released;
    if (const auto* fault = std::get_if<event::Fault>(&detail)) {
        return deafens(fault->hazard) ? What::deaf : What::none;
    }
    const bool is_answered = std::holds_alternative<event::Refused>(detail) ||
                             std::holds_alternative<event::Failed>(detail);
    if (is_answered) return What::heard;
    const bool left = std::holds_alternative<event::Leaving>(detail) ||
                      std::holds_alternative<event::Lost>(detail);
    return left ? What::left : What::none;
}

}  // namespace

class LivenessWatch::Watch {
public:
    /// `leaving_ends`: the client no longer holds the lock once it has left.
    void see(Instant at, ClientId id, What what, bool leaving_ends) {
        const bool granted = what == What::granted;
        if (granted) {
            last_grant_ = at;
            for (const Instant crash : crashes_) found_.recoveries.push_back(at - crash);
            crashes_.clear();
        }
        follow(at, clients_[id], what, leaving_ends);
        const bool orphaned = wanting_ > 0 && holding_ == 0;
        if (orphaned_ && !orphaned && granted) {
            const Duration wait = at - since_;
            if (wait > found_.longest_orphan_wait) {
                found_.longest_orphan_wait = wait;
                found_.longest_waiter = id;
            }
        }
        if (orphaned && !orphaned_) since_ = at;
        orphaned_ = orphaned;
    }

    Liveness end(Instant at, Duration patience) {
        if (patience <= Duration::zero() || !orphaned_ || at - last_grant_ < patience) {
            return found_;
        }
        for (std::uint32_t i = 0; i < clients_.values().size(); ++i) {
            const Client& client = clients_.values()[i];
            if (client.wants && !client.deaf) found_.waiting.push_back(ClientId{i});
        }
        found_.stuck = !found_.waiting.empty();
        return found_;
    }

private:
    struct Client {
        bool wants = false;
        bool holds = false;
        bool deaf = false;
    };

    void follow(Instant at, Client& client, What what, bool leaving_ends) {
        if (what != What::none) client.deaf = what == What::deaf;
        switch (what) {
            case What::none:
            case What::deaf:
            case What::heard: return;
            case What::granted:
                set(client.wants, wanting_, false);
                set(client.holds, holding_, true);
                return;
            case What::wants:
                set(client.wants, wanting_, true);
                set(client.holds, holding_, false);
                return;
            case What::left:
                if (leaving_ends) set(client.holds, holding_, false);
                return;
            case What::released: set(client.holds, holding_, false); return;
            case What::crashed:
                if (client.holds) crashes_.push_back(at);
                [[fallthrough]];
            case What::gone:
                set(client.wants, wanting_, false);
                set(client.holds, holding_, false);
                return;
        }
    }

    static void set(bool& flag, std::uint32_t& count, bool value) {
        if (flag == value) return;
        flag = value;
        value ? ++count : --count;
    }

    PerClient<Client> clients_;
    std::uint32_t wanting_ = 0;
    std::uint32_t holding_ = 0;
    bool orphaned_ = false;         ///< an orphan wait is going on
    Instant since_;                 ///< when it began
    Instant last_grant_;            ///< before the first, the beginning of the run
    std::vector<Instant> crashes_;  ///< of holders, with no grant since
    Liveness found_;
};

LivenessWatch::LivenessWatch(const HistoryHead& head)
    : is_ours_(head.is_ours()),
      is_of_driver_(head.world == "driver"),
      watch_(std::make_unique<Watch>()) {}

LivenessWatch::~LivenessWatch() = default;
LivenessWatch::LivenessWatch(LivenessWatch&&) noexcept = default;

void LivenessWatch::see(const Event& event) {
    // A driver that does not answer a release is deficient, which is not the lock's doing.
    if (is_of_driver_ && std::holds_alternative<event::Leaving>(event.detail)) return;
    const What what = what_of(event);
    if (what == What::none) return;
    // Where it is a coroutine its own time-out ends that, which its run waits for.
    if (!is_of_driver_ && (what == What::deaf || what == What::heard)) return;
    if (what == What::released) {
        tells_releases_ = true;
        releases_[event.client] = 1;
    }
    waiting_.push_back({event.at, event.client, static_cast<std::uint8_t>(what)});
    follow(false);
}

/// Passes on events up to the first client that has left and has not released anything yet.
void LivenessWatch::follow(bool at_end) {
    for (; !waiting_.empty(); waiting_.pop_front()) {
        const Seen& seen = waiting_.front();
        const auto what = static_cast<What>(seen.what);
        const bool known = releases_[seen.client] == 1 || (is_ours_ && tells_releases_);
        if (what == What::left && !known && !at_end) return;
        watch_->see(seen.at, seen.client, what, !known);
    }
}

Liveness LivenessWatch::end(Instant at, Duration patience) {
    follow(true);
    return watch_->end(at, patience);
}

Liveness check_liveness(const History& history) {
    LivenessWatch watch(history);
    for (const Event& event : history.events) watch.see(event);
    return watch.end(end_of(history), history.patience);
}

}  // namespace locklab
