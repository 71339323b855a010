#include "harness/foreign/struck_servers.h"

#include <algorithm>
#include <future>

namespace locklab {

std::optional<StruckServers::Strike> StruckServers::strike(const PlannedFault& fault) {
    if (own_ != nullptr) return strike_own(fault);
    switch (*server_fault(fault.hazard)) {
        case ServerFault::restart:
            servers_.restart(fault.node, fault.amount);
            return Strike{fault.amount, {}, fault.node};
        case ServerFault::restart_with_old_data: {
            const Clock::time_point now = Clock::now();
            const ManagedServers::Kept& kept = servers_.kept_at(fault.node, now - fault.amount);
            const bool is_known = kept.at != Clock::time_point();
            const auto age = std::chrono::duration_cast<Duration>(now - kept.at);
            servers_.restart(fault.node, Duration(0), kept.data);
            return Strike{is_known ? age : fault.amount, {}, fault.node};
        }
        case ServerFault::evict: return evict(fault.node);
        case ServerFault::flush: return flush(fault.node);
        case ServerFault::jump_clock:
            servers_.jump_clock(fault.node, fault.amount);
            return Strike{fault.amount, {}, fault.node};
        case ServerFault::fail_over:
            if (servers_.has_taken_over() || !servers_.is_up(NodeId{})) return std::nullopt;
            servers_.take_over();
            let_learn(fault.amount);
            return Strike{fault.amount, {}, fault.node};
        case ServerFault::hang:
            if (!servers_.freeze(fault.node, fault.amount)) return std::nullopt;
            return Strike{fault.amount, {}, fault.node};
    }
    return std::nullopt;
}

/// Subject::why_not_struck_by() lets no other fault come here: one of them hangs, or the one that
/// leads is killed.
std::optional<StruckServers::Strike> StruckServers::strike_own(const PlannedFault& fault) {
    if (takes_over(fault.hazard)) {
        const std::optional<NodeId> leader = own_->kill_leader(fault.amount);
        return leader ? std::optional(Strike{fault.amount, {}, *leader}) : std::nullopt;
    }
    const NodeId node{setup_.choices.pick(ChoiceKind::fault, own_->count())};
    if (!own_->freeze(node, fault.amount)) return std::nullopt;
    return Strike{fault.amount, {}, node};
}

std::optional<StruckServers::Clock::time_point> StruckServers::next_due() const {
    return own_ != nullptr ? own_->next_due() : servers_.next_due();
}

Duration StruckServers::do_due(Clock::time_point now) {
    Duration latest{0};
    if (own_ != nullptr) latest = own_->do_due(now);
    for (const ManagedServers::Late& late : servers_.do_due(now)) {
        latest = std::max(latest, late.by);
    }
    return latest;
}

std::optional<StruckServers::Clock::time_point> StruckServers::away_until() const {
    return own_ != nullptr ? own_->away_until() : servers_.hung_until();
}

void StruckServers::end() {
    if (own_ != nullptr) own_->restore();
    servers_.end_run();
}

/// One of the keys that are there by then; drawn before that is known, so that equal seeds draw
/// alike. If there is none, the fault counts for a lock that asks no server: such a lock survives
/// any eviction.
std::optional<StruckServers::Strike> StruckServers::evict(NodeId node) {
    const EvictionDraw draw{setup_.choices.pick(ChoiceKind::fault, kQuantiles)};
    const Eviction done = servers_.evict(node, key_, draw);
    if (!done.key && asks_) return std::nullopt;
    setup_.notes.noted_late = std::max(setup_.notes.noted_late, done.within);
    return Strike{Duration(0), done.told(), node};
}

/// Where no key is there, as for an eviction.
std::optional<StruckServers::Strike> StruckServers::flush(NodeId node) {
    const std::optional<Duration> within = servers_.flush(node);
    if (!within && asks_) return std::nullopt;
    setup_.notes.noted_late = std::max(setup_.notes.noted_late, within.value_or(Duration(0)));
    return Strike{Duration(0), {}, node};
}

/// The replica takes over after `after`; each client learns of it at its own time, within a TTL
/// of that.
void StruckServers::let_learn(Duration after) {
    for (std::uint32_t i = 0; i < spec_.clients; ++i) {
        const std::int64_t q = setup_.choices.pick(ChoiceKind::fault, kQuantiles);
        const Duration later = spec_.scale / std::int64_t{kQuantiles} * q;
        learns(ClientId{i}, Clock::now() + after + later);
    }
}

std::optional<StruckServers::Clock::time_point> StruckServers::next_learning() const {
    return learns_.empty() ? std::nullopt : std::optional(learns_.begin()->first);
}

std::optional<ClientId> StruckServers::learner(Clock::time_point now) {
    if (learns_.empty() || learns_.begin()->first > now) return std::nullopt;
    const ClientId client = learns_.begin()->second;
    learns_.erase(learns_.begin());
    return client;
}

NodeId StruckServers::lead(ClientId client) {
    const NodeId master = spec_.topology.replica();
    const std::uint32_t link = setup_.table.at(client, NodeId{});
    std::promise<Clock::time_point> led;
    setup_.proxy->post([&](FaultProxy& proxy) {
        proxy.lead(link, servers_.endpoint(master));
        led.set_value(Clock::now());
    });
    setup_.table.lead(link, led.get_future().get(), master);
    return master;
}

}  // namespace locklab
