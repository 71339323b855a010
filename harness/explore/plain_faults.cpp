// The faults that a plain run offers, and what those of clients and servers do.

#include "harness/explore/plain_run.h"

namespace locklab {

void PlainRun::offer_faults(std::vector<Step>& steps) const {
    const auto offer_if = [&](bool can, Step::Kind kind, std::uint8_t client) {
        if (can) steps.push_back({kind, client, 0, false, 0});
    };
    for (std::uint8_t i = 0; i < clients_.size(); ++i) {
        const ClientState& client = cluster_.value().clients[i];
        if (clients_[i].gone) continue;
        offer_if(may(Hazard::clock_jump), Step::Kind::clock_ahead, i);
        offer_if(may(Hazard::clock_jump), Step::Kind::clock_back, i);
        if (!clients_[i].begun) continue;
        offer_if(may(Hazard::crash), Step::Kind::crash, i);
        offer_if(may(Hazard::pause) && client.paused_until <= now(), Step::Kind::pause, i);
        offer_if(may(Hazard::stall) && client.stalled_until <= now() && has_background(i),
                 Step::Kind::stall, i);
    }
    for (std::uint32_t i = 0; i < cluster_.nodes(); ++i) {
        if (!cluster_.is_following(NodeId{i})) {
            offer_server_faults(NodeId{i}, steps);
        } else if (may(Hazard::failover)) {
            steps.push_back({Step::Kind::failover, 0, 0, false, 0});
        }
    }
}

void PlainRun::offer_server_faults(NodeId server, std::vector<Step>& steps) const {
    const auto offer_if = [&](bool can, Step::Kind kind) {
        if (can) steps.push_back({kind, 0, static_cast<std::uint8_t>(server.value), false, 0});
    };
    const bool is_empty = data_of(server).keys().entries().empty();
    offer_if(may(Hazard::restart), Step::Kind::restart);
    const bool restores = may(Hazard::restart_snapshot);
    const bool has_saved = cluster_.value().nodes[server.value].saved.has_value();
    offer_if(restores && !has_saved && !is_empty, Step::Kind::save);
    offer_if(restores, Step::Kind::restore);
    const bool has_key = lock_key(server) != nullptr;
    offer_if(may(Hazard::evict) && (!on_redis_ || has_key), Step::Kind::evict);
    const bool jumps = may(Hazard::server_clock_jump) && (!on_redis_ || !is_empty);
    offer_if(jumps, Step::Kind::server_ahead);
    offer_if(jumps, Step::Kind::server_back);
}

void PlainRun::strike(const Step& step, Hazard hazard) {
    PlannedFault fault{hazard, {}, {}};
    if (!is_of_client(step.kind)) fault.node = NodeId{step.slot};
    if (step.kind == Step::Kind::failover) fault.node = bounds_.topology().replica();
    switch (step.kind) {
        using enum Step::Kind;
        case pause:
        case stall: fault.amount = bounds_.pause; break;
        case clock_ahead:
        case server_ahead: fault.amount = bounds_.clock; break;
        case clock_back:
        case server_back: fault.amount = -bounds_.clock; break;
        case restart: fault.amount = bounds_.outage; break;
        case crash: clients_[step.client].gone = true; break;
        default: break;
    }
    cluster_.strike(id_of(step), fault);
    if (step.kind == Step::Kind::restart || step.kind == Step::Kind::restore) {
        cluster_.break_connections(fault.node);
    }
}

}  // namespace locklab
