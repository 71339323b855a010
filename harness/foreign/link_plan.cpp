#include "harness/foreign/link_plan.h"

#include <algorithm>

#include "harness/core/assert.h"

namespace locklab {

namespace {

LinkFault link_fault_of(Hazard hazard, Choices& choices) {
    const auto either = [&](LinkFault one, LinkFault other) {
        return choices.pick(ChoiceKind::fault, 2) == 0 ? one : other;
    };
    switch (hazard) {
        case Hazard::lose_request: return either(LinkFault::lose_request, LinkFault::reset_request);
        case Hazard::lose_reply: return either(LinkFault::lose_reply, LinkFault::reset_reply);
        case Hazard::delay_request:
            return either(LinkFault::delay_request, LinkFault::late_request);
        case Hazard::delay_reply: return LinkFault::delay_reply;
        default: break;
    }
    LOCKLAB_ASSERT(hazard == Hazard::retry);
    return LinkFault::repeat_request;
}

}  // namespace

std::string link_name(ClientId client) {
    return client.value < 26 ? std::string(1, static_cast<char>('A' + client.value))
                             : "client " + std::to_string(client.value);
}

LinkPlan::LinkPlan(std::span<const PlannedFault> plan, const Terms& terms, Choices& choices) {
    for (const PlannedFault& fault : plan) {
        if (!strikes_messages(fault.hazard)) continue;
        const auto open = std::make_shared<std::atomic<bool>>(false);
        FaultRule rule;
        rule.client = link_name(fault.moment.client);
        rule.naming = terms.key;
        rule.nth = fault.moment.nth + 1;
        rule.fault = link_fault_of(fault.hazard, choices);
        rule.amount = fault.hazard == Hazard::retry ? terms.retry : fault.amount;
        rule.gate = open;
        rules_.push_back(std::move(rule));
        gates_.push_back({fault.moment, open});
    }
}

void LinkPlan::turn(ClientId client, std::uint32_t round, Phase phase) {
    for (const Gate& gate : gates_) {
        const Moment& moment = gate.moment;
        if (moment.client != client) continue;
        // What is sent in the background is sent while its client is inside.
        const Phase planned = moment.phase == Phase::background ? Phase::inside : moment.phase;
        *gate.open = round >= moment.round && phase == planned;
    }
}

bool LinkPlan::strikes(ClientId client) const {
    return std::ranges::any_of(gates_,
                               [&](const Gate& gate) { return gate.moment.client == client; });
}

Hazard LinkPlan::hazard_of(LinkFault fault) {
    switch (fault) {
        case LinkFault::lose_request:
        case LinkFault::reset_request: return Hazard::lose_request;
        case LinkFault::lose_reply:
        case LinkFault::reset_reply: return Hazard::lose_reply;
        case LinkFault::delay_request:
        case LinkFault::late_request: return Hazard::delay_request;
        case LinkFault::delay_reply: return Hazard::delay_reply;
        case LinkFault::repeat_request: return Hazard::retry;
        case LinkFault::error: break;
    }
    return kNoFault;
}

}  // namespace locklab
