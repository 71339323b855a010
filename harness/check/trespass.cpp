#include "harness/check/trespass.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <variant>

#include "harness/check/per_client.h"

namespace locklab {

namespace {

using Effect = KeyEffect::Kind;

/// If the instants of both executions are not known, the later command must have been sent after
/// the earlier one was answered.
bool is_sure(const KeyLog& log, const KeyChange& owner, const KeyChange& change) {
    const KeyEffect::Source source = change.effect.source;
    const bool is_told = source == KeyEffect::Source::seen || source == KeyEffect::Source::replayed;
    return is_told && (log.is_exact() || change.sent > owner.at);
}

}  // namespace

/// The owner of the key at each server.
class TrespassWatch::Owners {
public:
    explicit Owners(const KeyLog& log) : log_(log) {}

    void see(const Moment& moment) {
        switch (moment.kind) {
            case Kind::let_go:
                for (auto& [node, owner] : of_) {
                    if (owner != nullptr && owner->client == moment.client) owner = nullptr;
                }
                return;
            case Kind::granted: leaving_[moment.client] = 0; return;
            case Kind::leaving: leaving_[moment.client] = 1; return;
            case Kind::taken_over: of_[moment.node] = of_[NodeId{}]; return;
        }
    }

    void see(const KeyChange& change, std::vector<Trespass>& found) {
        if (change.key != 0) return;
        const KeyChange*& owner = of_[change.node];
        const Effect did = change.effect.kind;
        const bool takes = change.takes && (did == Effect::created || did == Effect::replaced);
        const bool foreign = owner != nullptr && owner->round != change.round;
        if (foreign && did != Effect::created) {
            found.push_back({change.event, owner->client, change.client, did, takes,
                             leaving_[owner->client] == 1, is_sure(log_, *owner, change)});
        }
        if (takes) {
            owner = &change;
            leaving_[change.client] = 0;  // that was in the round before
        } else if (did == Effect::created || did == Effect::deleted) {
            owner = nullptr;
        }
    }

private:
    const KeyLog& log_;
    std::map<NodeId, const KeyChange*> of_;  ///< a replica follows the first server
    PerClient<std::uint8_t> leaving_;
};

void TrespassWatch::see(const Event& event, std::size_t place) {
    const auto keep = [&](Kind kind, NodeId node = {}) {
        moments_.push_back({place, event.client, node, kind});
    };
    if (std::holds_alternative<event::Released>(event.detail) ||
        std::holds_alternative<event::Lost>(event.detail) || is_crash(event)) {
        keep(Kind::let_go);
    } else if (std::holds_alternative<event::Granted>(event.detail)) {
        keep(Kind::granted);
    } else if (std::holds_alternative<event::Leaving>(event.detail)) {
        keep(Kind::leaving);
    } else if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
        if (takes_over(fault->hazard)) keep(Kind::taken_over, fault->node);
    }
}

std::vector<Trespass> TrespassWatch::end(const KeyLog& log) const {
    std::vector<Trespass> found;
    Owners owners(log);
    auto moment = moments_.begin();
    for (const KeyChange& change : log.changes()) {
        for (; moment != moments_.end() && moment->event < change.event; ++moment) {
            owners.see(*moment);
        }
        owners.see(change, found);
    }
    return found;
}

void Deletions::add(const Deletions& other) {
    of_own += other.of_own;
    of_anothers += other.of_anothers;
    keys += other.keys;
}

Deletions deletions_among(const std::vector<Trespass>& found, const KeyLog& log) {
    Deletions deletions;
    deletions.keys =
        static_cast<std::uint64_t>(std::ranges::count_if(log.claims(), &Claim::is_on_lock_key));
    for (const Trespass& trespass : found) {
        if (!trespass.sure || trespass.did != Effect::deleted) continue;
        ++(trespass.by == trespass.victim ? deletions.of_own : deletions.of_anothers);
    }
    return deletions;
}

std::vector<Trespass> trespasses(const History& history) {
    std::vector<Trespass> found;
    for (std::uint32_t i = 0; i < history.resources; ++i) {
        KeyLog log(static_cast<const HistoryHead&>(history));
        TrespassWatch watch;
        for (std::size_t place = 0; place < history.events.size(); ++place) {
            if (!is_about(history.events[place], ResourceId{i})) continue;
            log.see(history.events[place], place);
            watch.see(history.events[place], place);
        }
        std::ranges::move(watch.end(log), std::back_inserter(found));
    }
    std::ranges::sort(found, {}, &Trespass::event);
    return found;
}

}  // namespace locklab
