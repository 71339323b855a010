#include "harness/check/outcome_waits.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/check/deadlock.h"
#include "harness/check/inside.h"
#include "harness/check/liveness.h"
#include "harness/check/per_client.h"

namespace locklab {

namespace {

/// Clients that are refused although no live client holds the lock, and since when.
class OrphanWaits {
public:
    explicit OrphanWaits(Duration long_wait) : long_wait_(long_wait) {}

    void see(const Event& event, std::map<ClientId, StuckKind>& stuck) {
        Client& client = clients_[event.client];
        if (std::holds_alternative<event::Refused>(event.detail) && holders_ == 0) {
            const Duration waited = event.at - std::max(client.wants_since, free_since_);
            client.waited_long = client.waited_long || waited >= long_wait_;
        } else if (std::holds_alternative<event::Wants>(event.detail)) {
            client.wants_since = event.at;
            client.waited_long = false;
            hold(client, false, event.at);
        } else if (std::holds_alternative<event::Granted>(event.detail)) {
            if (client.waited_long) stuck[event.client] = StuckKind::until_ttl;
            client.waited_long = false;
            hold(client, true, event.at);
        } else if (std::holds_alternative<event::Released>(event.detail) ||
                   std::holds_alternative<event::Finished>(event.detail) || is_crash(event)) {
            hold(client, false, event.at);
        }
    }

private:
    struct Client {
        bool holds = false;
        bool waited_long = false;
        Instant wants_since;
    };
    void hold(Client& client, bool holds, Instant at) {
        if (client.holds == holds) return;
        client.holds = holds;
        holds ? ++holders_ : --holders_;
        if (holders_ == 0) free_since_ = at;
    }

    Duration long_wait_;
    PerClient<Client> clients_;
    std::uint32_t holders_ = 0;
    Instant free_since_;
};

/// Clients that got an error, and those whose last try did: that client is not refused, nor does it
/// wait for another. NOSCRIPT is no error here: the script is then sent whole.
class Errors {
public:
    void see(const Event& event) {
        Client& client = clients_[event.client];
        if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
            const bool failed =
                replied->reply.is_error() && !replied->reply.text().starts_with("NOSCRIPT");
            if (failed) client.any = true;
            if (failed && event.phase == Phase::acquire) client.now = true;
        } else if (std::holds_alternative<event::Refused>(event.detail) ||
                   std::holds_alternative<event::Failed>(event.detail)) {
            client.last_try = std::exchange(client.now, false);
        } else if (std::holds_alternative<event::Wants>(event.detail) ||
                   std::holds_alternative<event::Granted>(event.detail)) {
            client.now = client.last_try = false;
        }
    }
    bool has_failed(ClientId client) { return clients_[client].last_try; }
    std::vector<ClientId> found() const {
        std::vector<ClientId> all;
        for (std::uint32_t i = 0; i < clients_.values().size(); ++i) {
            if (clients_.values()[i].any) all.push_back(ClientId{i});
        }
        return all;
    }

private:
    struct Client {
        bool any = false;
        bool now = false;
        bool last_try = false;
    };
    PerClient<Client> clients_;
};

/// Clients that wait for each other in a circle until the run's patience is over.
void find_deadlock(const History& history, Outcome& outcome) {
    DeadlockWatch watch;
    Instant last;
    for (const Event& event : history.events) {
        watch.see(event);
        if (std::holds_alternative<event::Granted>(event.detail)) last = event.at;
    }
    if (end_of(history) - last < history.patience) return;
    for (const WaitInCircle& wait : watch.found()) outcome.stuck[wait.client] = StuckKind::for_ever;
}

}  // namespace

History about(const History& history, ResourceId lock) {
    History its;
    static_cast<HistoryHead&>(its) = history;
    its.end = history.end;
    std::ranges::copy_if(history.events, std::back_inserter(its.events),
                         [&](const Event& event) { return is_about(event, lock); });
    return its;
}

void find_waiting(const History& history, Duration ttl, Outcome& outcome) {
    for (std::uint32_t i = 0; i < history.resources; ++i) {
        const History its = about(history, ResourceId{i});
        OrphanWaits orphan_waits(ttl / 2);
        for (const Event& event : its.events) orphan_waits.see(event, outcome.stuck);
        for (const ClientId client : check_liveness(its).waiting) {
            outcome.stuck[client] = StuckKind::for_ever;
        }
    }
    if (history.resources > 1) find_deadlock(history, outcome);
    Errors errors;
    PerClient<std::uint8_t> wants;
    for (const Event& event : history.events) {
        errors.see(event);
        if (std::holds_alternative<event::Wants>(event.detail)) wants[event.client] = 1;
        const bool over = std::holds_alternative<event::Granted>(event.detail) || is_crash(event);
        if (over) wants[event.client] = 0;
    }
    outcome.failed = errors.found();
    for (std::uint32_t i = 0; i < wants.values().size(); ++i) {
        const ClientId client{i};
        if (wants.values()[i] == 0) continue;
        if (errors.has_failed(client)) {
            outcome.stuck.erase(client);
        } else if (!outcome.stuck.contains(client)) {
            outcome.kept_out.push_back(client);
        }
    }
}

}  // namespace locklab
