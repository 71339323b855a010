#include "harness/check/trespass.h"

#include <algorithm>
#include <map>
#include <variant>

#include "harness/check/key_log.h"
#include "harness/check/per_client.h"

namespace locklab {

namespace {

using Effect = KeyEffect::Kind;

/// Whose key it is, at each server.
class Owners {
public:
    void see(const Event& event) {
        if (std::holds_alternative<event::Released>(event.detail) ||
            std::holds_alternative<event::Lost>(event.detail) || is_crash(event)) {
            for (auto& [node, owner] : of_) {
                if (owner != nullptr && owner->client == event.client) owner = nullptr;
            }
        } else if (std::holds_alternative<event::Granted>(event.detail)) {
            leaving_[event.client] = 0;
        } else if (std::holds_alternative<event::Leaving>(event.detail)) {
            leaving_[event.client] = 1;
        } else if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
            if (takes_over(fault->hazard)) of_[fault->node] = of_[NodeId{}];
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
                             leaving_[owner->client] == 1});
        }
        if (takes) {
            owner = &change;
        } else if (did == Effect::created || did == Effect::deleted) {
            owner = nullptr;
        }
    }

private:
    std::map<NodeId, const KeyChange*> of_;  ///< a replica follows the first server
    PerClient<std::uint8_t> leaving_;
};

void find(const History& history, ResourceId lock, std::vector<Trespass>& found) {
    KeyLog log(static_cast<const HistoryHead&>(history));
    for (std::size_t i = 0; i < history.events.size(); ++i) {
        if (is_about(history.events[i], lock)) log.see(history.events[i], i);
    }
    Owners owners;
    auto change = log.changes().begin();
    for (std::size_t i = 0; i < history.events.size(); ++i) {
        for (; change != log.changes().end() && change->event == i; ++change) {
            owners.see(*change, found);
        }
        if (is_about(history.events[i], lock)) owners.see(history.events[i]);
    }
}

}  // namespace

std::vector<Trespass> trespasses(const History& history) {
    std::vector<Trespass> found;
    for (std::uint32_t i = 0; i < history.resources; ++i) find(history, ResourceId{i}, found);
    std::ranges::sort(found, {}, &Trespass::event);
    return found;
}

}  // namespace locklab
