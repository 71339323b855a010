#include "harness/check/deadlock.h"

#include "harness/check/inside.h"

namespace locklab {

void DeadlockWatch::see(const Event& event) {
    Client& client = clients_[event.client];
    const std::uint32_t bit = 1U << event.resource.value;
    if (const auto* wants = std::get_if<event::Wants>(&event.detail)) {
        client.wants = event.resource;
        // A client that takes its own lock again waits for no other client.
        if (wants->again) client.holds &= ~bit;
        if (wants->again) client.not_left &= ~bit;
    } else if (std::holds_alternative<event::Granted>(event.detail)) {
        client.wants.reset();
        client.holds |= bit;
        client.not_left |= bit;
    } else if (std::holds_alternative<event::Leaving>(event.detail) ||
               std::holds_alternative<event::Lost>(event.detail)) {
        client.not_left &= ~bit;
    } else if (std::holds_alternative<event::Released>(event.detail)) {
        tells_releases_ = true;
        client.holds &= ~bit;
        client.not_left &= ~bit;
    } else if (is_crash(event) || std::holds_alternative<event::Finished>(event.detail)) {
        client = {};
    }
}

bool DeadlockWatch::holds(const Client& client, ResourceId lock) const {
    const std::uint32_t has = tells_releases_ ? client.holds : client.not_left;
    return (has >> lock.value & 1U) != 0;
}

/// Extends the path to at most `most` clients, so that it leads back to its first. False if it
/// cannot.
bool DeadlockWatch::close(Deadlock& path, std::size_t most) const {
    const ResourceId wanted = path.back().wants;
    const std::uint32_t first = path.front().client.value;
    if (path.size() > 1 && holds(clients_.values()[first], wanted)) {
        path.front().has = wanted;
        return true;
    }
    if (path.size() == most) return false;
    for (std::uint32_t i = first + 1; i < clients_.values().size(); ++i) {
        const Client& next = clients_.values()[i];
        if (!next.wants || *next.wants == wanted || !holds(next, wanted)) continue;
        path.push_back({ClientId{i}, wanted, *next.wants});
        if (close(path, most)) return true;
        path.pop_back();
    }
    return false;
}

Deadlock DeadlockWatch::found() const {
    for (std::size_t most = 2; most <= ResourceId::kMost; ++most) {
        for (std::uint32_t i = 0; i < clients_.values().size(); ++i) {
            const Client& client = clients_.values()[i];
            if (!client.wants) continue;
            Deadlock path{{ClientId{i}, {}, *client.wants}};
            if (close(path, most)) return path;
        }
    }
    return {};
}

}  // namespace locklab
