// The effects of faults that strike a client or a server.

#include <algorithm>
#include <utility>

#include "harness/cluster/cluster.h"

namespace locklab {

template <class Does>
void Cluster::for_process(ClientId client, Does does) const {
    const std::uint32_t first = first_task(client, config_.tasks).value;
    for (std::uint32_t i = first; i < first + config_.tasks; ++i) {
        if (!machines_[i]->finished()) does(ClientId{i});
    }
}

bool Cluster::process_finished(ClientId client) const {
    bool goes_on = false;
    for_process(client, [&](ClientId) { goes_on = true; });
    return !goes_on;
}

/// A fault of a client strikes all tasks of its process.
void Cluster::strike(ClientId id, const PlannedFault& fault,
                     std::span<const std::uint32_t> reached) {
    if (row_of(fault.hazard).target != FaultTarget::client) return strike_one(id, fault, reached);
    for_process(id, [&](ClientId task) { strike_one(task, fault, reached); });
}

void Cluster::strike_one(ClientId id, const PlannedFault& fault,
                         std::span<const std::uint32_t> reached) {
    note_fault(id, fault);
    ClientValue& client = value_.clients[id.value];
    Node& server = node(fault.node);
    const Instant until = value_.now + fault.amount;
    switch (fault.hazard) {
        case Hazard::crash: crash(id); break;
        case Hazard::pause: hold_up(client.paused_until, until); break;
        case Hazard::stall: hold_up(client.stalled_until, until); break;
        case Hazard::clock_offset:
        case Hazard::clock_jump: client.clock_offset += fault.amount; break;
        case Hazard::server_clock_jump: server.clock_offset += fault.amount; break;
        case Hazard::restart:
        case Hazard::restart_snapshot: restart(fault, reached); break;
        case Hazard::failover: fail_over(fault); break;
        case Hazard::freeze: hold_up(server.hangs_until, until); break;
        case Hazard::evict:
            if (!server.is_modelled()) break;
            server.data().evict(fault.key.empty() ? config_.key.name : fault.key);
            break;
        case Hazard::flush:
            if (server.is_modelled()) server.data().flush();
            break;
        case Hazard::contention:
        case Hazard::slow_job:
        case Hazard::lose_request:
        case Hazard::lose_reply:
        case Hazard::delay_request:
        case Hazard::delay_reply:
        case Hazard::retry:
        case Hazard::error_reply:
        case Hazard::cancel:
        case Hazard::partition:
        case Hazard::reset: LOCKLAB_ASSERT(false && "strikes at another moment");
    }
    keep_snapshot(server);
}

void Cluster::hold_up(Instant& held_until, Instant until) {
    held_until = std::max(held_until, until);
}

void Cluster::pause(ClientId client, Instant since, Duration length) {
    for_process(client, [&](ClientId task) {
        hold_up(value_.clients[task.value].paused_until, since + length);
        note_fault(task, PlannedFault{Hazard::pause, {}, length});
    });
}

void Cluster::crash(ClientId id) {
    if (Tape* tape = tape_of(id)) tape->crashes(id);
    machines_[id.value]->crash();
    leave_connections(id);
    Node& oracle = node(kOracle);
    std::get<OracleStore>(oracle.store)
        .on(Closed{{id, Channel::worker, kOracle}}, time_at(oracle), outbox_);
    --value_.unfinished;
}

void Cluster::keep_snapshot(Node& server) {
    if (!config_.keep_snapshots || !std::holds_alternative<RedisStore>(server.store)) return;
    server.snapshots.emplace_back(value_.now, server.data().keys_only());
}

RedisModel Cluster::data_before(const Node& server, Duration ago) const {
    const auto after =
        std::upper_bound(server.snapshots.begin(), server.snapshots.end(), value_.now - ago,
                         [](Instant at, const auto& snapshot) { return at < snapshot.first; });
    return after == server.snapshots.begin() ? RedisModel() : std::prev(after)->second;
}

void Cluster::take_down(NodeId id, Duration outage) {
    Node& server = node(id);
    server.down_until = std::max(server.down_until, value_.now + outage);
}

void Cluster::restart(const PlannedFault& fault, std::span<const std::uint32_t> reached) {
    Node& server = node(fault.node);
    server.hangs_until = value_.now;
    if (fault.hazard == Hazard::restart) {
        if (server.is_modelled()) server.data() = RedisModel();
        take_down(fault.node, fault.amount);
    } else if (server.saved) {
        server.data() = *std::exchange(server.saved, {});
    } else {
        server.data() = data_before(server, fault.amount);
    }
    for (std::uint32_t i = 0; i < value_.messages.size(); ++i) {
        Message& message = value_.messages[i];
        const bool is_safe = std::ranges::find(reached, i) != reached.end();
        if (!message.in_flight || message.route.node != fault.node || is_safe) continue;
        message.reset = true;
        message.reply = Reply::unknown();
    }
}

/// The link to the replica breaks, and after a while the replica takes over. No client uses it
/// before, so taking over at once makes no difference. The old master still serves clients that
/// have not learnt of the failover.
void Cluster::fail_over(const PlannedFault& fault) {
    LOCKLAB_ASSERT(is_following(fault.node));
    Node& old = node(value_.master);
    if (old.is_modelled()) {
        const bool lags = config_.replica_lag > Duration::zero();
        LOCKLAB_ASSERT(!lags || config_.keep_snapshots);
        node(fault.node).data() =
            lags ? data_before(old, config_.replica_lag) : old.data().keys_only();
    }
    value_.master = fault.node;
    for (std::uint32_t i = 0; i < value_.clients.size(); ++i) {
        agenda_.armed({MoveKind::learn, ClientId{i}, TaskId{}}, {value_.now + fault.amount});
    }
}

void Cluster::tick(NodeId id) {
    Node& server = node(id);
    std::get<RedisStore>(server.store).on(Tick{}, time_at(server), outbox_);
}

void Cluster::end_fault(std::size_t index) {
    Event& fault = history_.events[index];
    std::get<event::Fault>(fault.detail).amount = value_.now - fault.at;
}

void Cluster::note_fault(ClientId client, const PlannedFault& fault, std::uint64_t call) {
    probes_.hit(fault.hazard);
    event::Fault noted{fault.hazard, fault.amount, call, fault.node, false, fault.key};
    if (fault.hazard == Hazard::error_reply) noted.error = fault.error;
    noted.ran = fault.hazard == Hazard::reset && fault.ran;
    note(client, machines_[client.value]->phase_of(TaskId{}), std::move(noted), ResourceId{});
}

}  // namespace locklab
