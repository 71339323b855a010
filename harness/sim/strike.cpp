// What the simulator does when a planned fault strikes a client or the server.

#include <algorithm>

#include "harness/sim/simulator.h"

namespace locklab {

void Simulator::strike(ClientId id, const PlannedFault& fault) {
    note_fault(id, fault);
    ClientState& client = state_.clients[id.value];
    const Instant until = state_.now + fault.amount;
    switch (fault.hazard) {
        case Hazard::crash: crash(id); break;
        case Hazard::pause: client.paused_until = until; break;
        case Hazard::stall: client.stalled_until = std::max(client.stalled_until, until); break;
        case Hazard::clock_jump: client.clock_offset += fault.amount; break;
        case Hazard::server_clock_jump: state_.server.clock_offset += fault.amount; break;
        case Hazard::restart:
        case Hazard::restart_snapshot: restart(fault); break;
        case Hazard::evict: state_.server.redis.data().evict(config_.key.name); break;
        case Hazard::contention:
        case Hazard::slow_job:
        case Hazard::lose_request:
        case Hazard::lose_reply:
        case Hazard::delay_request:
        case Hazard::delay_reply:
        case Hazard::retry:
        case Hazard::clock_offset: LOCKLAB_ASSERT(false && "strikes at another moment");
    }
    keep_snapshot();
}

void Simulator::pause_regularly() {
    while (true) {
        const Instant begins(config_.pauses.every *
                             static_cast<std::int64_t>(state_.regular_pauses + 1));
        if (begins > state_.now) return;
        ++state_.regular_pauses;
        const ClientId id{choices_.pick(ChoiceKind::fault, config_.clients)};
        if (machines_[id.value]->finished()) continue;
        ClientState& client = state_.clients[id.value];
        client.paused_until = std::max(client.paused_until, begins + config_.pauses.length);
        note_fault(id, PlannedFault{Hazard::pause, {}, config_.pauses.length});
    }
}

void Simulator::crash(ClientId id) {
    machines_[id.value]->crash();
    state_.oracle.on(Closed{{id, Channel::worker, kOracle}}, server_time(), outbox_);
    --unfinished_;
}

void Simulator::keep_snapshot() {
    ServerState& server = state_.server;
    if (keep_snapshots_) server.snapshots.emplace_back(state_.now, server.redis.data());
}

void Simulator::restart(const PlannedFault& fault) {
    ServerState& server = state_.server;
    if (fault.hazard == Hazard::restart) {
        server.redis.data() = RedisModel();
        server.down_until = std::max(server.down_until, state_.now + fault.amount);
    } else {
        const Instant age = state_.now - fault.amount;
        const auto after =
            std::upper_bound(server.snapshots.begin(), server.snapshots.end(), age,
                             [](Instant at, const auto& snapshot) { return at < snapshot.first; });
        server.redis.data() =
            after == server.snapshots.begin() ? RedisModel() : std::prev(after)->second;
    }
    for (Message& message : state_.messages) {
        if (!message.in_flight || message.node == kOracle) continue;
        message.reset = true;
        message.reply = Reply::unknown();
    }
}

}  // namespace locklab
