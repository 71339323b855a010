#include "harness/check/liveness.h"

#include "harness/check/inside.h"
#include "harness/check/per_client.h"

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

class LivenessWatch::Watch {
public:
    /// `leaving_ends`: the history never says when a release was over.
    explicit Watch(bool leaving_ends) : leaving_ends_(leaving_ends) {}

    void see(const Event& event) {
        const bool granted = std::holds_alternative<event::Granted>(event.detail);
        if (granted) {
            last_grant_ = event.at;
            for (const Instant crash : crashes_) found_.recoveries.push_back(event.at - crash);
            crashes_.clear();
        }
        follow(event, clients_[event.client], granted);
        const bool orphaned = wanting_ > 0 && holding_ == 0;
        if (orphaned_ && !orphaned && granted) {
            const Duration wait = event.at - since_;
            if (wait > found_.longest_orphan_wait) {
                found_.longest_orphan_wait = wait;
                found_.longest_waiter = event.client;
            }
        }
        if (orphaned && !orphaned_) since_ = event.at;
        orphaned_ = orphaned;
    }

    Liveness end(Instant at, Duration patience) {
        found_.stuck = patience > Duration::zero() && orphaned_ && at - last_grant_ >= patience;
        if (!found_.stuck) return found_;
        for (std::uint32_t i = 0; i < clients_.values().size(); ++i) {
            if (clients_.values()[i].wants) found_.waiting.push_back(ClientId{i});
        }
        return found_;
    }

private:
    struct Client {
        bool wants = false;
        bool holds = false;
    };

    void follow(const Event& event, Client& client, bool granted) {
        if (granted) {
            set(client.wants, wanting_, false);
            set(client.holds, holding_, true);
        } else if (std::holds_alternative<event::Wants>(event.detail)) {
            set(client.wants, wanting_, true);
            set(client.holds, holding_, false);
        } else if (is_crash(event)) {
            if (client.holds) crashes_.push_back(event.at);
            set(client.wants, wanting_, false);
            set(client.holds, holding_, false);
        } else if (std::holds_alternative<event::Finished>(event.detail)) {
            set(client.wants, wanting_, false);
            set(client.holds, holding_, false);
        } else if (ends_hold(event)) {
            set(client.holds, holding_, false);
        }
    }

    bool ends_hold(const Event& event) const {
        return std::holds_alternative<event::Released>(event.detail) ||
               (leaving_ends_ && (std::holds_alternative<event::Leaving>(event.detail) ||
                                  std::holds_alternative<event::Lost>(event.detail)));
    }

    static void set(bool& flag, std::uint32_t& count, bool value) {
        if (flag == value) return;
        flag = value;
        value ? ++count : --count;
    }

    bool leaving_ends_;
    PerClient<Client> clients_;
    std::uint32_t wanting_ = 0;
    std::uint32_t holding_ = 0;
    bool orphaned_ = false;         ///< an orphan wait is going on
    Instant since_;                 ///< when it began
    Instant last_grant_;            ///< the beginning of the run, before the first
    std::vector<Instant> crashes_;  ///< of holders, with no grant since
    Liveness found_;
};

LivenessWatch::LivenessWatch()
    : releasing_ends_(std::make_unique<Watch>(false)),
      leaving_ends_(std::make_unique<Watch>(true)) {}

LivenessWatch::~LivenessWatch() = default;
LivenessWatch::LivenessWatch(LivenessWatch&&) noexcept = default;

void LivenessWatch::see(const Event& event) {
    tells_releases_ = tells_releases_ || std::holds_alternative<event::Released>(event.detail);
    releasing_ends_->see(event);
    leaving_ends_->see(event);
}

Liveness LivenessWatch::end(Instant at, Duration patience) {
    return (tells_releases_ ? releasing_ends_ : leaving_ends_)->end(at, patience);
}

Liveness check_liveness(const History& history) {
    LivenessWatch watch;
    for (const Event& event : history.events) watch.see(event);
    return watch.end(end_of(history), history.patience);
}

}  // namespace locklab
