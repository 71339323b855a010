// The faults that a plain run offers, and the effects of client and server faults.

#include "harness/explore/plain_run.h"
#include "harness/explore/step_table.h"

namespace locklab {

void PlainRun::offer_send(std::uint32_t message, std::vector<Step>& steps) const {
    if (!can_send(message)) return;
    Step step = step_at(Step::Kind::send, cluster_.move_of(MoveKind::arrive, message));
    steps.push_back(step);
    const NodeId server = cluster_.message(message).route.node;
    if (server == kOracle || is_cut(step.client, server)) return;
    const bool is_down = cluster_.value().nodes[server.value].down_until > now();
    const Command& command = cluster_.message(message).command;
    for (const Step::Kind kind : kCommandFaults) {
        step.kind = kind;
        // A server that hangs runs nothing now whose reply could be lost, or late.
        const bool runs = !loses_request(kind) && kind != Step::Kind::delay;
        if (runs && hangs(server)) continue;
        // A server that is down refuses anyhow.
        if (is_down && is_told_at_once(*hazard_of(step))) continue;
        if (kind == Step::Kind::noscript && !can_answer(ErrorKind::noscript, command)) continue;
        if (may(*hazard_of(step))) steps.push_back(step);
    }
}

void PlainRun::offer_faults(std::vector<Step>& steps) const {
    using enum Step::Kind;
    const auto offer_if = [&](bool can, Step::Kind kind, std::uint8_t client) {
        if (can && may(hazard_of(kind))) steps.push_back({kind, client, 0, false, 0});
    };
    for (std::uint8_t i = 0; i < clients_.size(); ++i) {
        const ClientValue& client = cluster_.value().clients[i];
        if (!is_there(i)) continue;
        offer_if(true, clock_ahead, i);
        offer_if(true, clock_back, i);
        if (!clients_[i].begun) continue;
        offer_if(true, crash, i);
        offer_if(client.paused_until <= now(), pause, i);
        offer_if(client.stalled_until <= now() && has_background(i), stall, i);
    }
    for (std::uint32_t i = 0; i < cluster_.nodes(); ++i) {
        if (!cluster_.is_following(NodeId{i})) {
            offer_server_faults(NodeId{i}, steps);
        } else {
            offer_if(true, failover, 0);
        }
    }
}

void PlainRun::offer_server_faults(NodeId server, std::vector<Step>& steps) const {
    using enum Step::Kind;
    const auto offer_if = [&](bool can, Step::Kind kind) {
        if (!can || !may(hazard_of(kind == save ? restore : kind))) return;
        steps.push_back({kind, 0, static_cast<std::uint8_t>(server.value), false, 0});
    };
    const bool is_empty = data_of(server).keys().entries().empty();
    const bool is_hung = hangs(server);
    offer_if(true, restart);
    const bool has_saved = cluster_.value().nodes[server.value].saved.has_value();
    offer_if(!has_saved && !is_empty && !is_hung, save);
    offer_if(true, restore);
    const bool evicts = may(hazard_of(evict)) && !is_hung;
    for (std::uint16_t key = 0; evicts && key < keys_.size(); ++key) {
        const bool is_there = data_of(server).keys().stored(keys_[key]) != nullptr;
        if (!is_there && (on_redis_ || key > 0)) continue;
        steps.push_back({evict, 0, static_cast<std::uint8_t>(server.value), false, key});
    }
    offer_if((!on_redis_ || !is_empty) && !is_hung, flush);
    offer_if(!on_redis_ || !is_empty, server_ahead);
    offer_if(!on_redis_ || !is_empty, server_back);
    offer_if(!is_hung && cluster_.value().nodes[server.value].down_until <= now(), freeze);
}

void PlainRun::strike(const Step& step, Hazard hazard) {
    using enum Step::Kind;
    PlannedFault fault{hazard, {}, bounds_.amount_of(hazard)};
    if (!is_of_client(step.kind)) fault.node = NodeId{step.slot};
    if (step.kind == evict && step.ms > 0) fault.key = keys_[step.ms];
    if (takes_over(hazard)) fault.node = bounds_.topology().replica();
    if (step.kind == clock_back || step.kind == server_back) fault.amount = -fault.amount;
    if (step.kind == crash) clients_[step.client].gone = true;
    cluster_.strike(id_of(step), fault);
    if (!restarts_server(hazard)) return;
    cluster_.break_connections(fault.node);
    queues_[fault.node.value].clear();
}

}  // namespace locklab
