// What a plain run offers.

#include "harness/explore/plain_run.h"

#include <algorithm>

#include "harness/explore/step_text.h"

namespace locklab {

namespace {

ClusterConfig config_of(const Algorithm& algorithm, const Bounds& bounds) {
    ClusterConfig config;
    config.algorithm = &algorithm;
    config.options = bounds.options;
    config.clients = bounds.clients;
    config.command_timeout = bounds.timeout();
    config.tokens = bounds.tokens;
    config.looks_at_fences = false;  // a search asks who is inside, and not who may write
    return config;
}

}  // namespace

PlainRun::PlainRun(const Algorithm& algorithm, const Bounds& bounds, ScriptEngine& scripts,
                   const std::array<std::int16_t, Bounds::kMostClients>& clocks)
    : algorithm_(algorithm),
      bounds_(bounds),
      on_redis_(algorithm.on_redis()),
      workload_(workload_of(bounds)),
      clients_(bounds.clients, Client(bounds)),
      leaves_(bounds.leaves),
      cluster_(config_of(algorithm, bounds), *this, scripts) {
    for (const HazardRow& row : kHazards) left(row.hazard) = bounds.faults[row.hazard];
    for (std::uint32_t i = 0; i < bounds.clients; ++i) {
        if (clocks[i] == 0) continue;
        --left(Hazard::clock_offset);
        coverage_.strike(Hazard::clock_offset, Phase::idle);
        cluster_.strike(ClientId{i}, {Hazard::clock_offset, {}, clocks[i] * kMs});
    }
}

Step PlainRun::step_of(Step::Kind kind, const Move& move) {
    return {kind, static_cast<std::uint8_t>(move.client.value),
            static_cast<std::uint8_t>(move.task.value), false, 0};
}

Step::Kind PlainRun::kind_of(MoveKind kind) {
    switch (kind) {
        case MoveKind::fire: return Step::Kind::wake;
        case MoveKind::arrive: return Step::Kind::arrive;
        case MoveKind::deliver: return Step::Kind::take;
        case MoveKind::expire: break;
    }
    return Step::Kind::expire;
}

bool PlainRun::is_violated() const {
    return std::count_if(clients_.begin(), clients_.end(), [](const Client& client) {
               return !client.gone && client.work.inside();
           }) > 1;
}

bool PlainRun::can_act(const Move& move) const { return cluster_.held_up_until(move) <= now(); }

bool PlainRun::is_possible(const Pending& pending) const {
    const Window& window = pending.window;
    const bool waits_for_its_end = !bounds_.any_length && window.latest != Instant::max();
    return (waits_for_its_end ? window.latest : window.earliest) <= now();
}

bool PlainRun::is_answered(const Pending& pending) const {
    if (pending.move.kind != MoveKind::expire) return false;
    return std::any_of(pending_.begin(), pending_.end(), [&](const Pending& other) {
        return other.move.kind == MoveKind::deliver && end_same_wait(other.move, pending.move);
    });
}

bool PlainRun::can_send(std::uint32_t message) const {
    return can_act(cluster_.move_of(MoveKind::arrive, message)) &&
           !cluster_.waits_behind_another(message);
}

bool PlainRun::must_act() const {
    const bool sends = std::any_of(ready_.begin(), ready_.end(),
                                   [this](std::uint32_t message) { return can_send(message); });
    return sends || std::any_of(pending_.begin(), pending_.end(), [this](const Pending& pending) {
               const bool held_up = pending.move.kind != MoveKind::arrive && !can_act(pending.move);
               return pending.window.latest <= now() && !held_up && !is_answered(pending);
           });
}

std::vector<Step> PlainRun::offered() const {
    std::vector<Step> steps;
    for (std::uint8_t i = 0; i < clients_.size(); ++i) {
        if (!clients_[i].gone) offer_client(i, steps);
    }
    for (const Pending& pending : pending_) {
        const Move& move = pending.move;
        if (move.kind != MoveKind::arrive || !is_possible(pending)) continue;
        if (first_arrival(move.client, channel_of(move.task)) != &pending) continue;
        steps.push_back(step_of(Step::Kind::arrive, move));
    }
    const Duration stop = must_act() ? Duration::zero() : next_stop();
    if (stop > Duration::zero()) {
        steps.push_back({Step::Kind::pass, 0, 0, false, static_cast<std::uint16_t>(stop / kMs)});
    }
    if (!steps.empty()) offer_faults(steps);
    return steps;
}

void PlainRun::offer_client(std::uint8_t i, std::vector<Step>& steps) const {
    const ClientState& client = cluster_.value().clients[i];
    if (!clients_[i].begun) {
        steps.push_back({Step::Kind::wake, i, 0, false, 0});
        return;
    }
    if (may_leave(i)) steps.push_back({Step::Kind::leave, i, 0, false, 0});
    const bool early = bounds_.any_length;
    if (early && client.paused_until > now()) {
        steps.push_back({Step::Kind::resume, i, 0, false, 0});
    }
    if (early && client.stalled_until > now()) {
        steps.push_back({Step::Kind::resume, i, 1, false, 0});
    }
    for (const std::uint32_t message : ready_) {
        if (cluster_.message(message).route.client.value == i) offer_send(message, steps);
    }
    for (const Pending& pending : pending_) {
        const Move& move = pending.move;
        if (move.client.value != i || move.kind == MoveKind::arrive) continue;
        if (!is_possible(pending) || !can_act(move) || is_answered(pending)) continue;
        Step step = step_of(kind_of(move.kind), move);
        steps.push_back(step);
        step.slow = step.kind == Step::Kind::take && may(Hazard::slow_job);
        if (step.slow) steps.push_back(step);
    }
}

void PlainRun::offer_send(std::uint32_t message, std::vector<Step>& steps) const {
    if (!can_send(message)) return;
    Step step = step_of(Step::Kind::send, cluster_.move_of(MoveKind::arrive, message));
    steps.push_back(step);
    if (cluster_.message(message).route.node == kOracle) return;
    for (const Step::Kind kind : {Step::Kind::lose_request, Step::Kind::lose_reply,
                                  Step::Kind::delay, Step::Kind::delay_reply, Step::Kind::retry}) {
        step.kind = kind;
        if (may(*hazard_of(step))) steps.push_back(step);
    }
}

const PlainRun::Pending* PlainRun::first_arrival(ClientId client, Channel channel) const {
    const Pending* first = nullptr;
    for (const Pending& pending : pending_) {
        const Move& move = pending.move;
        if (move.kind != MoveKind::arrive || move.client != client) continue;
        if (channel_of(move.task) != channel) continue;
        if (first == nullptr || pending.window.latest < first->window.latest) first = &pending;
    }
    return first;
}

bool PlainRun::may_leave(std::uint8_t i) const {
    const KeyEntry* lock = lock_key();
    const bool runs_out =
        bounds_.options.ttl != Duration::zero() || (lock != nullptr && lock->has_deadline());
    const bool waits_for_worker =
        std::any_of(pending_.begin(), pending_.end(), [i](const Pending& pending) {
            const Move& move = pending.move;
            return move.client.value == i && move.task.is_worker() &&
                   (move.kind == MoveKind::deliver || move.kind == MoveKind::expire);
        });
    return leaves_ > 0 && runs_out && cluster_.value().clients[i].paused_until <= now() &&
           clients_[i].work.leaves() && !waits_for_worker;
}

bool PlainRun::has_background(std::uint8_t i) const {
    const auto is_its = [i](const Move& move) {
        return move.client.value == i && !move.task.is_worker() && move.kind != MoveKind::arrive;
    };
    const bool waits = std::any_of(pending_.begin(), pending_.end(),
                                   [&](const Pending& pending) { return is_its(pending.move); });
    return waits || std::any_of(ready_.begin(), ready_.end(), [&](std::uint32_t message) {
               return is_its(cluster_.move_of(MoveKind::deliver, message));
           });
}

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
    const bool is_empty = server().keys().entries().empty();
    offer_if(may(Hazard::restart), Step::Kind::restart, 0);
    const bool restores = may(Hazard::restart_snapshot);
    const bool has_saved = cluster_.value().nodes[kServer.value].saved.has_value();
    offer_if(restores && !has_saved && !is_empty, Step::Kind::save, 0);
    offer_if(restores, Step::Kind::restore, 0);
    offer_if(may(Hazard::evict) && (!on_redis_ || lock_key() != nullptr), Step::Kind::evict, 0);
    const bool jumps = may(Hazard::server_clock_jump) && (!on_redis_ || !is_empty);
    offer_if(jumps, Step::Kind::server_ahead, 0);
    offer_if(jumps, Step::Kind::server_back, 0);
}

Duration PlainRun::next_stop() const {
    Duration least{0};
    const auto consider = [&](Instant at) {
        const Duration left = at == Instant::max() ? Duration::zero() : at - now();
        if (left > Duration::zero() && (least == Duration::zero() || left < least)) least = left;
    };
    for (const Pending& pending : pending_) {
        if (!is_answered(pending)) consider(pending.stop);
    }
    for (std::size_t i = 0; i < clients_.size(); ++i) {
        if (clients_[i].gone) continue;
        consider(cluster_.value().clients[i].paused_until);
        consider(cluster_.value().clients[i].stalled_until);
    }
    const KeyEntry* lock = lock_key();
    if (lock == nullptr || !lock->has_deadline()) return least;
    // A timer that fires at any time may fire just after the key has expired.
    const Duration server_now = cluster_.clock_of(kServer).time_since_epoch();
    consider(now() + lock->deadline_ms * kMs - server_now + kMs);
    return least;
}

Phase PlainRun::phase_of(const Client& client, TaskId task) const {
    if (client.gone || !client.begun) return Phase::idle;
    return cluster_.machine(ClientId{static_cast<std::uint32_t>(&client - clients_.data())})
        .phase_of(task);
}

const RedisModel& PlainRun::server() const {
    return std::get<RedisStore>(cluster_.value().nodes[kServer.value].store).data();
}

const KeyEntry* PlainRun::lock_key() const { return server().keys().stored("lock"); }

}  // namespace locklab
