// Which faults can strike now in a play.

#include <utility>

#include "harness/foreign/play_faults.h"

namespace locklab {

namespace {

bool is_of(LinkWay way, Hazard hazard) {
    if (hazard == Hazard::reset || cuts_link(hazard)) return true;
    const bool of_reply = hazard == Hazard::lose_reply || hazard == Hazard::delay_reply;
    return of_reply == (way == LinkWay::reply);
}

}  // namespace

void PlayFaults::offer(std::span<const PlayClient> clients,
                       std::vector<PlayOption>& options) const {
    const Instant now = world_.now();
    for (const HazardRow& row : kHazards) {
        if (left_[row.hazard] == 0) continue;
        const auto add = [&](std::uint32_t client, std::size_t held, Duration amount) {
            options.push_back(
                {PlayMove::fault, kFaultActor + client, client, held, row.hazard, amount});
        };
        if (row.target == FaultTarget::node) {
            offer_servers(row, options);
            continue;
        }
        for (std::size_t i = 0; row.target == FaultTarget::link && i < world_.held().size(); ++i) {
            const HeldFrame& frame = world_.held()[i];
            if (!is_of(frame.way, row.hazard) || is_held_back(frame, now)) continue;
            if (has_arrived(frame)) continue;
            if (row.hazard == Hazard::error_reply) {
                offer_errors(frame, i, options);
            } else {
                add(frame.client, i, amount_of(row));
            }
        }
        for (std::uint32_t i = 0; row.target == FaultTarget::client && i < clients.size(); ++i) {
            const PlayClient& client = clients[i];
            if (client.is_dead() || client.paused_until || client.phase() == Phase::idle) continue;
            if (row.size == FaultSize::job && client.phase() != Phase::inside) continue;
            add(i, 0, amount_of(row));
            if (row.size == FaultSize::clock) add(i, 0, -amount_of(row));
        }
        for (std::uint32_t i = 0; row.target == FaultTarget::call && i < clients.size(); ++i) {
            const bool tries = clients[i].worker.try_under_way().has_value();
            if (tries && !clients[i].paused_until) add(i, 0, Duration(0));
        }
    }
}

/// Each error that can answer the command.
void PlayFaults::offer_errors(const HeldFrame& frame, std::size_t held,
                              std::vector<PlayOption>& options) {
    for (const ErrorKindRow& row : kErrorKinds) {
        if (!can_answer(row.kind, frame.word)) continue;
        PlayOption option{PlayMove::fault,     kFaultActor + frame.client,
                          frame.client,        held,
                          Hazard::error_reply, Duration(0)};
        option.error = row.kind;
        options.push_back(option);
    }
}

bool PlayFaults::can_strike(const HazardRow& row, NodeId node) const {
    if (!world_.is_up(node)) return false;
    if (!thaws_[node.value]) return true;
    switch (*server_fault(row.hazard)) {
        case ServerFault::restart:
        case ServerFault::restart_with_old_data:
        case ServerFault::fail_over:
        case ServerFault::jump_clock: return true;
        // It does nothing, so it deletes nothing.
        case ServerFault::evict:
        case ServerFault::flush:
        case ServerFault::hang: return false;
    }
    return false;
}

/// Any that the server has.
std::vector<std::string> PlayFaults::keys_to_evict(NodeId node) const {
    if (!asks_) return {""};
    return world_.keys_to_evict(node);
}

void PlayFaults::offer_servers(const HazardRow& row, std::vector<PlayOption>& options) const {
    for (const NodeId node : world_.all_nodes()) {
        if (!can_strike(row, node)) continue;
        PlayOption option{
            PlayMove::fault, kFaultActor + kActorsOfANode * node.value, 0, 0, row.hazard,
            amount_of(row)};
        option.node = node;
        if (row.loss == FaultLoss::key) {
            for (std::string& key : keys_to_evict(node)) {
                option.key = std::move(key);
                options.push_back(option);
            }
            continue;
        }
        if (row.loss == FaultLoss::keys && keys_to_evict(node).empty()) continue;
        options.push_back(option);
        if (row.size != FaultSize::clock) continue;
        option.amount = -option.amount;
        options.push_back(option);
    }
}

}  // namespace locklab
