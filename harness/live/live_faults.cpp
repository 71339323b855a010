// Effects of planned faults on a live client, its commands and its server.

#include "harness/live/live_client.h"

namespace locklab {

bool LiveClient::is_cut_from(NodeId node) const {
    return process_.front()->cut_until_[node.value] > run_.recorder.now();
}

void LiveClient::lose_request(Call& call) {
    note(call.task, event::Fault{Hazard::lose_request, {}, call.number});
    call.runs = false;
}

void LiveClient::cut_link(TaskId task, NodeId node, const PlannedFault& fault) {
    note(task, event::Fault{fault.hazard, fault.amount, 0, node});
    process_.front()->cut_until_[node.value] = run_.recorder.now() + fault.amount;
}

void LiveClient::strike_message(Call& call, const PlannedFault& fault) {
    event::Fault noted{fault.hazard, fault.amount, call.number};
    if (fault.hazard == Hazard::error_reply) noted.error = kind_for(call.command, fault.error);
    const bool is_told = is_told_at_once(fault.hazard);
    noted.ran = is_told && !noted.error && fault.ran;
    note(call.task, noted);
    call.fault = fault.hazard;
    const bool is_cut = is_told && !noted.error && !fault.ran;
    call.runs = fault.hazard != Hazard::lose_request && !noted.error && !is_cut;
    if (is_cut) tell_soon(call, Reply::unknown());
    if (noted.error) tell_soon(call, Reply::error(std::string(row_of(*noted.error).words)));
    if (fault.hazard == Hazard::delay_reply) call.reply_late = fault.amount;
    if (fault.hazard == Hazard::delay_request) {
        ++call.open;
        call.route = connection_of(call.task, call.node[0]).reserve();
        reactor().wake_after(fault.amount, *this, {delay_over, 0, call.number});
    }
}

/// Whether a fault keeps the observation from its task, for now or for ever. A fault of a client
/// strikes all tasks of its process.
bool LiveClient::strike(Observation& observation) {
    const TaskId task = observation.task;
    const PlannedFault* fault =
        run_.schedule.on_observation(machine_.id(), machine_.round(), machine_.phase_of(task));
    if (fault == nullptr) return false;
    if (takes_over(fault->hazard) && run_.keeper.has_failed_over()) return false;
    const HazardRow& row = row_of(fault->hazard);
    for (const auto& other : process_) {
        const bool struck_too = row.target == FaultTarget::client && !other->machine_.finished();
        if (other.get() == this) {
            make_fault(*fault, task);
        } else if (struck_too) {
            other->make_fault(*fault, TaskId{});
        }
    }
    if (machine_.crashed()) return true;
    Inbox& inbox = inbox_of(task);
    if (row.size != FaultSize::pause || !inbox.is_paused(run_.recorder.now())) return false;
    observation.struck = true;
    inbox.hold_first(std::move(observation));
    await_resumption(inbox);
    return true;
}

/// Noted once it has removed a key: one of those that the run has there by then. It is drawn before
/// that is known, so that equal seeds draw alike.
void LiveClient::evict(const PlannedFault& fault, TaskId task) {
    const EvictionDraw draw{machine_.host().choices().pick(ChoiceKind::fault, kQuantiles)};
    const Eviction done = run_.keeper.evict(fault.node, run_.key, draw);
    if (!done.key) return;
    note(task, event::Fault{fault.hazard, {}, 0, fault.node, false, done.told()});
}

/// Noted once keys of the run are gone.
void LiveClient::flush(const PlannedFault& fault, TaskId task) {
    if (!run_.keeper.flush(fault.node, run_.key)) return;
    note(task, event::Fault{fault.hazard, {}, 0, fault.node});
}

/// Other faults than lost keys are noted before they strike.
void LiveClient::make_server_fault(const PlannedFault& fault, TaskId task) {
    if (row_of(fault.hazard).loss == FaultLoss::key) return evict(fault, task);
    if (row_of(fault.hazard).loss == FaultLoss::keys) return flush(fault, task);
    const std::optional<event::Fault> planned = run_.keeper.plan_for_server(fault);
    if (!planned) return;
    note(task, *planned);
    run_.keeper.strike_server(run_, *planned);
}

/// The fault strikes the server, or this client as `task` is about to take an observation.
void LiveClient::make_fault(const PlannedFault& fault, TaskId task) {
    if (row_of(fault.hazard).target == FaultTarget::node) return make_server_fault(fault, task);
    note(task, event::Fault{fault.hazard, fault.amount, 0, fault.node});
    const Instant until = run_.recorder.now() + fault.amount;
    switch (row_of(fault.hazard).size) {
        case FaultSize::none: return crash();
        case FaultSize::clock: clock_offset_ += fault.amount; return;
        case FaultSize::pause:
            inboxes_[1].pause_until(until);
            if (fault.hazard != Hazard::stall) inboxes_[0].pause_until(until);
            return;
        case FaultSize::job:
        case FaultSize::delay:
        case FaultSize::reply_delay:
        case FaultSize::outage:
        case FaultSize::age:
        case FaultSize::takeover:
        case FaultSize::cut:
        case FaultSize::hang: LOCKLAB_ASSERT(false && "strikes no client at this moment");
    }
}

/// A paused client learns of the new master when its pause ends.
void LiveClient::learn() {
    if (machine_.finished()) return;
    const Inbox& inbox = inboxes_[0];
    if (inbox.is_paused(run_.recorder.now())) {
        reactor().wake_at(run_.recorder.clock_at(inbox.until()), *this, {learns});
        return;
    }
    master_ = run_.config.topology.replica();
    note(TaskId{}, event::Learnt{master_});
}

void LiveClient::await_resumption(Inbox& inbox) {
    if (std::exchange(inbox.alarm_set, true)) return;
    const std::uint32_t index = &inbox == &inboxes_[0] ? 0 : 1;
    reactor().wake_at(run_.recorder.clock_at(inbox.until()), *this, {pause_over, index});
}

void LiveClient::resume(Inbox& inbox) {
    inbox.alarm_set = false;
    while (inbox.has_ready(run_.recorder.now())) take(inbox.take());
    if (!inbox.empty()) await_resumption(inbox);
}

void LiveClient::crash() {
    if (!machine_.finished()) --run_.active;
    machine_.crash();
    run_.oracle.on(Closed{{machine_.id(), Channel::worker, kOracle}}, WallTime(), run_.outbox);
    for (const auto& connection : connections_) connection->close();
    oracle_answers_.clear();
    for (Inbox& inbox : inboxes_) inbox.clear();
    calls_.remove_if([](const Call& call) { return call.fault != Hazard::delay_request; });
    for (const auto& call : calls_) call->settled = true;
}

}  // namespace locklab
