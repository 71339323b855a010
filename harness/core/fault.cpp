#include "harness/core/fault.h"

#include <algorithm>
#include <limits>

namespace locklab {

namespace {

/// A fault that was returned gets this round, which never comes.
constexpr std::uint32_t kSpent = std::numeric_limits<std::uint32_t>::max();
/// The round of a fault is drawn from this many rounds of its client.
constexpr std::uint32_t kRounds = 3;

/// The unit of amounts: the TTL, or less if a reply may not be that late.
Duration unit_of(Hazard hazard, const FaultScale& scale) {
    const bool has_limit =
        row_of(hazard).size == FaultSize::reply_delay && scale.timeout > Duration::zero();
    if (!has_limit) return scale.ttl;
    // A tenth of the time-out is left for the message's way.
    return std::min(scale.ttl, scale.timeout / 10 * 9 * 100 / row_of(hazard).amounts.most);
}

Duration draw_amount(Hazard hazard, const FaultScale& scale, Choices& choices) {
    const FaultAmounts amounts = row_of(hazard).amounts;
    if (amounts.most == 0) return Duration::zero();
    const std::int64_t unit = unit_of(hazard, scale).count();
    const std::int64_t q = choices.pick(ChoiceKind::fault, kQuantiles);
    const std::int64_t percent = amounts.least * kQuantiles + (amounts.most - amounts.least) * q;
    const Duration amount(unit * percent / (100 * std::int64_t{kQuantiles}));
    const bool negative = amounts.both_ways && choices.pick(ChoiceKind::fault, 2) == 1;
    return negative ? -amount : amount;
}

Phase draw_phase(Hazard hazard, const FaultScale& scale, Choices& choices) {
    const bool messages = strikes_messages(hazard);
    if (hazard == Hazard::stall) return Phase::inside;
    if (strikes_calls(hazard)) return Phase::acquire;
    const std::uint32_t background = messages && scale.renews ? 1 : 0;
    const std::uint32_t inside = messages && scale.reentrant ? 1 : 0;
    switch (choices.pick(ChoiceKind::fault, (messages ? 2 : 3) + background + inside)) {
        case 0: return messages ? Phase::acquire : Phase::inside;
        case 1: return Phase::release;
        case 2:
            if (!messages) return Phase::acquire;
            return background == 1 ? Phase::background : Phase::inside;
        default: return Phase::inside;
    }
}

/// How a fault of a link shows, where that differs.
void draw_form(PlannedFault& fault, Choices& choices) {
    if (fault.hazard == Hazard::error_reply) {
        fault.error = kErrorKinds[choices.pick(ChoiceKind::fault, kErrorKinds.size())].kind;
    }
    const bool may_run = fault.hazard == Hazard::reset || cuts_link(fault.hazard);
    if (may_run) fault.ran = choices.pick(ChoiceKind::fault, 2) == 1;
}

PlannedFault draw_fault(Hazard hazard, const FaultScale& scale, Choices& choices) {
    PlannedFault fault;
    fault.hazard = hazard;
    fault.moment.client = ClientId{choices.pick(ChoiceKind::fault, scale.clients)};
    fault.amount = draw_amount(hazard, scale, choices);
    if (row_of(hazard).moment == FaultMoment::at_start) return fault;
    const bool strikes_server = row_of(hazard).target == FaultTarget::node;
    if (takes_over(hazard)) {
        fault.node = NodeId{scale.servers};  // the replica's number follows those of the masters
    } else if (strikes_server && scale.servers > 1) {
        fault.node = NodeId{choices.pick(ChoiceKind::fault, scale.servers)};
    }
    fault.moment.round = 1 + choices.pick(ChoiceKind::fault, kRounds);
    if (!strikes_at_a_moment(hazard)) return fault;
    fault.moment.phase = draw_phase(hazard, scale, choices);
    // A stall that begins after the job's first observation would find the job over.
    if (hazard != Hazard::stall) fault.moment.nth = choices.pick(ChoiceKind::fault, 3);
    draw_form(fault, choices);
    return fault;
}

}  // namespace

std::vector<PlannedFault> draw_plan(const FaultBudget& budget, const FaultScale& scale,
                                    Choices& choices) {
    std::vector<PlannedFault> plan;
    for (const HazardRow& row : kHazards) {
        for (std::uint32_t i = 0; i < std::min(budget[row.hazard], most_of(row.hazard)); ++i) {
            // Without a watchdog there is nothing to stall. A stall that is never noted leaves the
            // verdict unknown; one that strikes nothing would make it holds.
            if (row.hazard == Hazard::stall && !scale.renews) continue;
            const bool left_out = choices.pick(ChoiceKind::fault, 8) == 0;
            if (left_out) continue;
            const PlannedFault fault = draw_fault(row.hazard, scale, choices);
            plan.push_back(fault);
            // A watchdog matters only while a job outlives the TTL, so add such a job.
            const bool at_watchdog =
                row.hazard == Hazard::stall || fault.moment.phase == Phase::background;
            if (!scale.renews || !at_watchdog) continue;
            PlannedFault slow{Hazard::slow_job, fault.moment};
            slow.amount = draw_amount(Hazard::slow_job, scale, choices);
            plan.push_back(slow);
        }
    }
    return plan;
}

const PlannedFault* FaultSchedule::strike(ClientId client, std::uint32_t round, Phase phase,
                                          bool on_send) {
    const PlannedFault* struck = nullptr;
    for (PlannedFault& fault : plan_) {
        Moment& moment = fault.moment;
        if (moment.round > round || moment.client != client || moment.phase != phase) continue;
        if (!strikes_at_a_moment(fault.hazard)) continue;
        if (strikes_messages(fault.hazard) != on_send) continue;
        if (moment.nth > 0) {
            --moment.nth;
        } else if (struck == nullptr) {
            moment.round = kSpent;
            struck = &fault;
        }
    }
    return struck;
}

std::optional<Duration> FaultSchedule::slow_job(ClientId client, std::uint32_t round) {
    for (const PlannedFault& fault : plan_) {
        if (fault.hazard == Hazard::slow_job && fault.moment.client == client &&
            fault.moment.round == round) {
            return fault.amount;
        }
    }
    return std::nullopt;
}

Duration FaultSchedule::clock_offset(ClientId client, std::uint32_t tasks) const {
    Duration offset{0};
    for (const PlannedFault& fault : plan_) {
        const ClientId struck = first_task(fault.moment.client, tasks);
        if (fault.hazard == Hazard::clock_offset && struck == first_task(client, tasks)) {
            offset += fault.amount;
        }
    }
    return offset;
}

}  // namespace locklab
