#include "harness/live/live_client.h"

#include <utility>

#include "harness/core/server_error.h"

namespace locklab {

LiveClient::LiveClient(ClientId id, Host& host, LiveRun& run, LiveClient* process)
    : run_(run),
      machine_(id, host, its_mode(id, *run.config.algorithm, run.config.unequal),
               process == nullptr ? nullptr : &process->machine_),
      workload_(its_workload(id, run.config.workload, run.config.unequal)),
      clock_offset_(run.schedule.clock_offset(id, run.config.tasks)) {
    const Topology& topology = run.config.topology;
    connections_.reserve(topology.nodes() * kChannels);
    cut_until_.resize(topology.nodes());
    for (std::uint32_t i = 0; i < topology.nodes(); ++i) {
        Upstream& server = run.keeper.upstream(topology, NodeId{i});
        for (std::size_t channel = 0; channel < kChannels; ++channel) {
            connections_.push_back(std::make_unique<Connection>(server, *this));
        }
    }
}

LiveClient::~LiveClient() {
    reactor().forget(*this);
    // The tasks use the lock, so they are destroyed first.
    machine_.crash();
}

void LiveClient::start(const Locks& locks) {
    for (const PlannedFault& fault : run_.schedule.plan()) {
        const ClientId first = first_task(fault.moment.client, run_.config.tasks);
        if (fault.hazard != Hazard::clock_offset || first != machine_.id()) continue;
        for (const auto& task : process_) {
            task->note(TaskId{}, event::Fault{fault.hazard, fault.amount});
        }
    }
    machine_.start(work(machine_, locks, workload_));
}

void LiveClient::sleep(const Waiter& waiter, Duration time) {
    reactor().wake_after(time, *this, {slept, waiter.task.value, waiter.ticket});
}

void LiveClient::ask_oracle(const Waiter& waiter, Command& command) {
    run_.outbox.clear();
    Observation observation;
    observation.task = waiter.task;
    observation.ticket = waiter.ticket;
    if (is_guarded_off(command)) {
        note(waiter.task, event::Denied{});
        observation.reply = Reply::nil();
    } else {
        run_.oracle.on(Request{{machine_.id(), channel_of(waiter.task), kOracle}, &command},
                       WallTime(), run_.outbox);
        if (run_.outbox.note()) note(waiter.task, std::move(*run_.outbox.note()));
        observation.reply = run_.outbox.take_reply();
    }
    oracle_answers_.push_back(std::move(observation));
    reactor().wake_after(Duration::zero(), *this, {oracle_answered});
}

/// Whether the script that is to write does nothing; see LiveLoop::holds(). It runs where its
/// client takes the master to be.
bool LiveClient::is_guarded_off(const Command& command) const {
    const LiveConfig& config = run_.config;
    const bool is_guarded = config.guards_writes && config.algorithm->on_redis();
    if (!is_guarded || command[0] != "WRITE") return false;
    const Token& token = run_.held[machine_.id().value];
    return !run_.keeper.holds(config.topology, node_for(NodeId{}), run_.key, token);
}

void LiveClient::send(const Waiter& waiter, NodeId server, Command& command) {
    const TaskId task = waiter.task;
    Call& call = calls_.add();
    std::swap(call.command, command);
    call.number = ++run_.calls;
    call.task = task;
    call.server = server;
    call.node[0] = node_for(server);
    call.ticket = waiter.ticket;
    const PlannedFault* fault =
        run_.schedule.on_send(machine_.id(), machine_.round(), machine_.phase_of(task));
    const bool was_cut = is_cut_from(call.node[0]);
    const bool cuts = !was_cut && fault != nullptr && cuts_link(fault->hazard);
    if (cuts) cut_link(task, call.node[0], *fault);
    if (run_.recorder.keeps_commands()) {
        note(task, event::Sent{call.number, call.node[0], call.command, machine_.rounds_ago(task)},
             call.node[0]);
    }
    // Set after the history has the command, so that no time-out is shorter than the limit.
    call.deadline = run_.recorder.now() + run_.config.command_timeout;
    if (!watching_) watch_deadlines();
    if (was_cut) {
        lose_request(call);
    } else if (cuts) {
        // The command is the first that is lost.
        const Hazard first = fault->ran ? Hazard::lose_reply : Hazard::lose_request;
        strike_message(call, PlannedFault{first, {}, {}});
    } else if (fault != nullptr) {
        strike_message(call, *fault);
    }
    if (call.runs && call.fault != Hazard::delay_request) transmit(call);
}

void LiveClient::transmit(Call& call) {
    call.sent[call.attempt] = run_.recorder.now();
    ++call.open;
    connection_of(call.task, call.node[call.attempt]).send(call);
}

/// A delayed request arrives, unless its connection has ended; then it is lost.
void LiveClient::arrive_late(Call& call) {
    call.sent[call.attempt] = run_.recorder.now();
    const bool arrives = call.route != nullptr && call.route->send_reserved(call, call.attempt);
    if (!arrives) answered(call, call.attempt, Reply::unknown());
}

/// The only place where a command is known to have run.
void LiveClient::answered(Call& call, std::uint32_t attempt, Reply reply) {
    --call.open;
    run_.unanswered[call.node[attempt].value] = reply.is_unknown();
    if (reply.is_error()) note_refusal(reply.text());
    if (!reply.is_unknown() && run_.recorder.keeps_commands()) {
        note(call.task,
             event::Executed{call.number, call.node[attempt], call.sent[attempt], call.command,
                             reply},
             call.node[attempt]);
    }
    const bool lost = call.fault == Hazard::lose_reply || call.awaits_retry();
    const bool hidden = lost || call.settled || attempt != call.attempt;
    if (hidden) {
        if (call.is_done()) calls_.remove(call);
    } else if (is_told_at_once(call.fault)) {
        tell_soon(call, Reply::unknown());
    } else if (call.reply_late > Duration::zero() && !reply.is_unknown()) {
        call.held = std::move(reply);
        reactor().wake_after(call.reply_late, *this, {reply_comes, 0, call.number});
    } else {
        tell(call, std::move(reply));
    }
}

/// In place of what Redis answers; a reset ends its connection too.
void LiveClient::tell_soon(Call& call, Reply reply) {
    call.held = std::move(reply);
    reactor().wake_after(Duration::zero(), *this, {reply_comes, 0, call.number});
}

/// The reply reaches the client.
void LiveClient::tell(Call& call, Reply reply) {
    LOCKLAB_ASSERT(!call.settled);
    Observation observation;
    observation.task = call.task;
    observation.server = call.server;
    observation.node = call.node[call.attempt];
    observation.ticket = call.ticket;
    observation.call = call.number;
    observation.reply = std::move(reply);
    call.settled = true;
    if (call.is_done()) calls_.remove(call);
    observe(std::move(observation));
}

void LiveClient::note_refusal(const std::string& error) {
    if (run_.refused.empty() && is_servers_own(error)) run_.refused = error;
}

void LiveClient::disconnected(const std::string& why) {
    if (run_.disconnected.empty()) run_.disconnected = why;
}

void LiveClient::wake(const Reactor::Alarm& alarm) {
    switch (alarm.kind) {
        case slept: {
            Observation observation;
            observation.task = TaskId{alarm.task};
            observation.ticket = static_cast<std::uint32_t>(alarm.value);
            observe(std::move(observation));
            break;
        }
        case oracle_answered:
            if (!oracle_answers_.empty()) {
                Observation observation = std::move(oracle_answers_.front());
                oracle_answers_.pop_front();
                observe(std::move(observation));
            }
            break;
        case deadline: give_up_overdue(); break;
        case delay_over:
            if (Call* call = calls_.find(alarm.value)) arrive_late(*call);
            break;
        case reply_comes: {
            // The client may have given up on it, or be dead.
            Call* call = calls_.find(alarm.value);
            if (call == nullptr || !call->held) break;
            if (is_told_at_once(call->fault) && call->held->is_unknown()) {
                connection_of(call->task, call->node[call->attempt]).retire();
            }
            if (!call->settled) tell(*call, std::move(*call->held));
            break;
        }
        case learns: learn(); break;
        case pause_over: resume(inboxes_[alarm.task]); break;
        default: LOCKLAB_ASSERT(false);
    }
}

void LiveClient::give_up_overdue() {
    watching_ = false;
    const Instant now = run_.recorder.now();
    std::vector<Observation> given_up;
    for (const auto& call : calls_) {
        if (call->settled || call->deadline > now) continue;
        call->settled = true;
        const NodeId node = call->node[call->attempt];
        if (call->fault == kNoFault) run_.unanswered.set(node.value);
        Observation& observation = given_up.emplace_back();
        observation.task = call->task;
        observation.server = call->server;
        observation.node = node;
        observation.ticket = call->ticket;
        observation.call = call->number;
        observation.timed_out = true;
        observation.reply = Reply::unknown();
    }
    calls_.remove_if([](const Call& call) { return call.is_done(); });
    for (Observation& observation : given_up) observe(std::move(observation));
    if (!watching_) watch_deadlines();
}

/// All commands of a run have the same time limit, so one alarm for the earliest is enough.
void LiveClient::watch_deadlines() {
    const Call* earliest = nullptr;
    for (const auto& call : calls_) {
        if (call->settled) continue;
        if (earliest == nullptr || call->deadline < earliest->deadline) earliest = call.get();
    }
    watching_ = earliest != nullptr;
    if (!watching_) return;
    reactor().wake_at(run_.recorder.clock_at(earliest->deadline), *this, {deadline});
}

/// The client library's own second attempt, which the algorithm does not see.
bool LiveClient::send_again(const Observation& observation) {
    Call* call = calls_.find(observation.call);
    if (call == nullptr || !call->awaits_retry()) return false;
    call->attempt = 1;
    call->node[1] = node_for(call->server);
    call->settled = false;
    call->deadline = run_.recorder.now() + run_.config.command_timeout;
    is_cut_from(call->node[1]) ? lose_request(*call) : transmit(*call);
    if (!watching_) watch_deadlines();
    return true;
}

void LiveClient::observe(Observation&& observation) {
    Inbox& inbox = inbox_of(observation.task);
    const bool never_paused = inbox.until() == Instant();
    if (never_paused || !inbox.is_paused(run_.recorder.now())) {
        take(std::move(observation));
        return;
    }
    inbox.hold(std::move(observation));
    await_resumption(inbox);
}

void LiveClient::take(Observation&& observation) {
    const TaskId task = observation.task;
    if (observation.timed_out) {
        connection_of(task, observation.node).retire();
        if (send_again(observation)) return;
    }
    if (!machine_.waits_for(task, observation.ticket)) return;
    if (!observation.struck && strike(observation)) return;
    if (observation.call != 0 && run_.recorder.keeps_commands()) {
        note(task, event::Replied{observation.call, observation.reply}, observation.node);
    }
    machine_.observe(task, observation.ticket, std::move(observation.reply), observation.server);
}

/// An event of the lock at this node.
void LiveClient::note(TaskId task, EventDetail detail, NodeId node) {
    const ResourceId resource{run_.config.resources > 1 ? node.value : 0};
    run_.recorder.note(machine_.id(), machine_.phase_of(task), std::move(detail), resource);
}

}  // namespace locklab
