#include "harness/foreign/link_plan.h"

#include <algorithm>

#include "harness/core/assert.h"

namespace locklab {

namespace {

/// Draws one of the link faults that the hazard can take the form of.
LinkFault link_fault_of(Hazard hazard, Choices& choices) {
    std::vector<LinkFault> fitting;
    for (const LinkFaultRow& row : kLinkFaults) {
        if (LinkPlan::hazard_of(row.fault) == hazard) fitting.push_back(row.fault);
    }
    LOCKLAB_ASSERT(!fitting.empty());
    return fitting[choices.pick(ChoiceKind::fault, static_cast<std::uint32_t>(fitting.size()))];
}

}  // namespace

std::string link_name(ClientId client) {
    return client.value < 26 ? std::string(1, static_cast<char>('A' + client.value))
                             : "client " + std::to_string(client.value);
}

std::string node_name(NodeId node) { return "redis " + std::to_string(node.value + 1); }

LinkPlan::LinkPlan(std::span<const PlannedFault> plan, const Terms& terms, Choices& choices) {
    for (const PlannedFault& fault : plan) {
        if (!strikes_messages(fault.hazard)) continue;
        const auto open = std::make_shared<std::atomic<bool>>(false);
        FaultRule rule;
        rule.client = link_name(fault.moment.client);
        NodeId node;
        if (terms.nodes > 1) node = NodeId{choices.pick(ChoiceKind::fault, terms.nodes)};
        rule.node = node_name(node);
        rule.naming = terms.key;
        rule.nth = fault.moment.nth + 1;
        rule.fault = link_fault_of(fault.hazard, choices);
        rule.amount = fault.hazard == Hazard::retry ? terms.retry : fault.amount;
        rule.kind = fault.error;
        rule.gate = open;
        rules_.push_back(std::move(rule));
        gates_.push_back({fault.moment, node, open});
    }
}

void LinkPlan::turn(ClientId client, std::uint32_t round, Phase phase) {
    for (const Gate& gate : gates_) {
        const Moment& moment = gate.moment;
        if (moment.client != client) continue;
        // Background commands are sent while their client is inside.
        const Phase planned = moment.phase == Phase::background ? Phase::inside : moment.phase;
        *gate.open = round >= moment.round && phase == planned;
    }
}

bool LinkPlan::strikes(ClientId client) const {
    return std::ranges::any_of(gates_,
                               [&](const Gate& gate) { return gate.moment.client == client; });
}

bool LinkPlan::strikes(ClientId client, NodeId node) const {
    return std::ranges::any_of(gates_, [&](const Gate& gate) {
        return gate.moment.client == client && gate.node == node;
    });
}

bool LinkPlan::strikes_bytes(Hazard hazard) {
    return std::ranges::none_of(kLinkFaults, [&](const LinkFaultRow& row) {
        return hazard_of(row.fault) == hazard && row.needs_resp;
    });
}

Hazard LinkPlan::hazard_of(LinkFault fault) {
    switch (fault) {
        case LinkFault::reset_request:
        case LinkFault::reset_reply: return Hazard::reset;
        case LinkFault::error: return Hazard::error_reply;
        case LinkFault::late_request: return hazard_of(LinkFault::delay_request);
        case LinkFault::repeat_request: return Hazard::retry;
        case LinkFault::partition_after: return Hazard::partition;
        case LinkFault::partition:
        case LinkFault::lose_request:
        case LinkFault::lose_reply:
        case LinkFault::delay_request:
        case LinkFault::delay_reply: break;
    }
    // The other faults have the names of their hazards.
    return hazard_named(name_of(fault)).value_or(kNoFault);
}

}  // namespace locklab
