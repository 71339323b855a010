// The steps that a plain run offers.

#include "harness/explore/plain_run.h"

#include <algorithm>

#include "harness/explore/step_text.h"

namespace locklab {

namespace {

ClusterConfig config_of(const Algorithm& algorithm, const Bounds& bounds) {
    ClusterConfig config{bounds.shape_for(algorithm)};
    config.clients = bounds.clients + 1;
    config.tokens = bounds.tokens;
    config.keeps_history = false;
    config.looks_at_fences = false;  // a search asks who is inside, not who may write
    return config;
}

/// A client whose tries or rounds are used up may come again in the end.
Bounds waiting_on(Bounds bounds) {
    bounds.waits_on = true;
    return bounds;
}

}  // namespace

PlainRun::PlainRun(const Algorithm& algorithm, const Bounds& bounds, ScriptEngine& scripts,
                   const std::array<std::int16_t, Bounds::kMostClients>& clocks)
    : algorithm_(algorithm),
      bounds_(waiting_on(bounds)),
      keys_(keys_of(bounds.keys, bounds.clients, bounds.tokens)),
      newcomers_bounds_(newcomer_bounds(bounds)),
      on_redis_(algorithm.on_redis()),
      clients_(bounds.clients, Client(bounds_)),
      queues_(bounds.nodes()),
      leaves_(bounds.leaves),
      cluster_(config_of(algorithm, bounds), *this, scripts) {
    for (std::uint32_t i = 0; i < bounds.clients; ++i) {
        workloads_.push_back(its_workload(ClientId{i}, workload_of(bounds), bounds.unequal));
    }
    clients_.emplace_back(newcomers_bounds_).gone = true;
    workloads_.push_back(workload_of(newcomers_bounds_));
    for (const HazardRow& row : kHazards) left(row.hazard) = bounds.faults[row.hazard];
    for (std::uint32_t i = 0; i < bounds.clients; ++i) {
        if (clocks[i] == 0) continue;
        --left(Hazard::clock_offset);
        coverage_.strike_clocks();
        cluster_.strike(ClientId{i}, {Hazard::clock_offset, {}, clocks[i] * kMs});
    }
}

Step PlainRun::step_of(Step::Kind kind, const Move& move) {
    return {kind, static_cast<std::uint8_t>(move.client.value),
            static_cast<std::uint8_t>(move.task.value), false, 0};
}

Step PlainRun::step_at(Step::Kind kind, const Move& move) const {
    Step step = step_of(kind, move);
    const NodeId server = route_of(move).node;
    if (server != kOracle) {
        step.slot = static_cast<std::uint8_t>(slot_of(move.task.value, server.value));
    }
    return step;
}

Step::Kind PlainRun::kind_of(MoveKind kind) {
    switch (kind) {
        case MoveKind::fire: return Step::Kind::wake;
        case MoveKind::arrive: return Step::Kind::arrive;
        case MoveKind::deliver: return Step::Kind::take;
        case MoveKind::learn: return Step::Kind::learn;
        case MoveKind::expire: break;
    }
    return Step::Kind::expire;
}

bool PlainRun::is_violated() const {
    if (tokens_.is_broken()) return true;
    return !inside().is_allowed(algorithm_.permits);
}

bool PlainRun::can_act(const Move& move) const { return cluster_.held_up_until(move) <= now(); }

bool PlainRun::is_possible(const Pending& pending) const {
    if (pending.move.kind == MoveKind::arrive && is_in_queue(pending.move.message)) return false;
    const Window& window = pending.window;
    const bool waits_for_its_end = !bounds_.any_length && window.latest != Instant::max();
    return (waits_for_its_end ? window.latest : window.earliest) <= now();
}

bool PlainRun::is_answered(const Pending& pending) const {
    if (pending.move.kind != MoveKind::expire) return false;
    return std::any_of(pending_.begin(), pending_.end(), [&](const Pending& other) {
        return other.move.kind == MoveKind::deliver && other.move.message == pending.move.message;
    });
}

bool PlainRun::sends_again(const Pending& pending) const {
    return pending.move.kind == MoveKind::expire && cluster_.message(pending.move.message).resend;
}

std::vector<const PlainRun::Pending*> PlainRun::end_of_wait(const Pending& one) const {
    if (one.move.kind == MoveKind::fire) {
        if (!is_possible(one)) return {};
        return {&one};
    }
    const bool is_unsent = std::any_of(ready_.begin(), ready_.end(), [&](std::uint32_t message) {
        return end_same_wait(cluster_.move_of(MoveKind::expire, message), one.move);
    });
    if (is_unsent) return {};
    std::vector<const Pending*> end;
    for (const Pending& pending : pending_) {
        const bool is_its = ends_wait(pending.move) && end_same_wait(pending.move, one.move) &&
                            !is_answered(pending);
        if (!is_its) continue;
        if (!is_possible(pending) || sends_again(pending)) return {};
        end.push_back(&pending);
    }
    return end;
}

bool PlainRun::can_send(std::uint32_t message) const {
    const std::optional<std::uint32_t> ahead = cluster_.ahead_of(message);
    return can_act(cluster_.move_of(MoveKind::arrive, message)) && (!ahead || is_in_queue(*ahead));
}

bool PlainRun::must_act() const {
    const bool sends = std::any_of(ready_.begin(), ready_.end(),
                                   [this](std::uint32_t message) { return can_send(message); });
    const auto is_due = [this](const Pending* pending) {
        const bool waits =
            pending->move.kind == MoveKind::arrive && is_in_queue(pending->move.message);
        return pending->window.latest <= now() && !waits;
    };
    return sends || std::any_of(pending_.begin(), pending_.end(), [&](const Pending& pending) {
               if (pending.move.kind == MoveKind::arrive) return is_due(&pending);
               if (pending.move.kind == MoveKind::learn) return false;
               if (!can_act(pending.move) || is_answered(pending)) return false;
               if (sends_again(pending)) return is_due(&pending);
               const std::vector<const Pending*> end = end_of_wait(pending);
               return !end.empty() && std::all_of(end.begin(), end.end(), is_due);
           });
}

std::vector<Step> PlainRun::offered() const {
    std::vector<Step> steps;
    for (const Pending* pending : served()) {
        steps.push_back(step_at(Step::Kind::arrive, pending->move));
    }
    if (!steps.empty()) return steps;
    for (std::uint8_t i = 0; i < clients_.size(); ++i) {
        if (is_there(i)) offer_client(i, steps);
    }
    for (const Pending& pending : pending_) {
        const Move& move = pending.move;
        if (move.kind != MoveKind::arrive || !is_possible(pending)) continue;
        if (first_arrival(route_of(move)) != &pending) continue;
        steps.push_back(step_at(Step::Kind::arrive, move));
    }
    for (std::uint8_t i = 0; bounds_.any_length && i < cluster_.nodes(); ++i) {
        const bool is_down = cluster_.value().nodes[i].down_until > now();
        if (is_down) steps.push_back({Step::Kind::back, 0, i, false, 0});
        if (hangs(NodeId{i})) steps.push_back({Step::Kind::thaw, 0, i, false, 0});
    }
    const Duration stop = must_act() ? Duration::zero() : next_stop();
    if (stop > Duration::zero()) {
        steps.push_back({Step::Kind::pass, 0, 0, false, static_cast<std::uint16_t>(stop / kMs)});
    }
    if (!steps.empty()) offer_faults(steps);
    return steps;
}

void PlainRun::offer_client(std::uint8_t i, std::vector<Step>& steps) const {
    const ClientValue& client = cluster_.value().clients[i];
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
    for (std::uint32_t at = 0; early && at < cluster_.nodes(); ++at) {
        if (!is_cut(i, NodeId{at})) continue;
        steps.push_back({Step::Kind::heal, i, static_cast<std::uint8_t>(slot_of(0, at)), false, 0});
    }
    for (const std::uint32_t message : ready_) {
        if (cluster_.message(message).route.client.value == i) offer_send(message, steps);
    }
    for (const Pending& pending : pending_) {
        const Move& move = pending.move;
        if (move.client.value != i || move.kind == MoveKind::arrive) continue;
        if (!is_possible(pending) || !can_act(move) || is_answered(pending)) continue;
        if (move.kind == MoveKind::learn) {
            steps.push_back(step_of(Step::Kind::learn, move));
        } else if (sends_again(pending)) {
            steps.push_back(step_at(Step::Kind::expire, move));
        } else {
            offer_end(pending, steps);
        }
    }
}

/// The wait ends by giving up if it gives up on any server.
void PlainRun::offer_end(const Pending& pending, std::vector<Step>& steps) const {
    const std::vector<const Pending*> end = end_of_wait(pending);
    if (end.empty() || end.front() != &pending) return;
    const auto last = std::max_element(end.begin(), end.end(), [](const auto* a, const auto* b) {
        return a->move.kind < b->move.kind;
    });
    Step step = step_of(kind_of((*last)->move.kind), pending.move);
    steps.push_back(step);
    step.slow = step.kind == Step::Kind::take && may(Hazard::slow_job);
    if (step.slow) steps.push_back(step);
}

bool PlainRun::may_leave(std::uint8_t i) const {
    const bool runs_out =
        bounds_.options.ttl != Duration::zero() || has_deadline(true) || has_deadline(false);
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

Duration PlainRun::next_stop() const {
    Duration least{0};
    const auto consider = [&](Instant at) {
        const Duration left = at == Instant::max() ? Duration::zero() : at - now();
        if (left > Duration::zero() && (least == Duration::zero() || left < least)) least = left;
    };
    for (const Pending& pending : pending_) {
        if (!is_answered(pending)) consider(pending.stop);
    }
    for (std::uint8_t i = 0; i < clients_.size(); ++i) {
        if (!is_there(i)) continue;
        consider(cluster_.value().clients[i].paused_until);
        consider(cluster_.value().clients[i].stalled_until);
        for (std::uint32_t at = 0; at < cluster_.nodes(); ++at) {
            consider(cluster_.cut_until(ClientId{i}, NodeId{at}));
        }
    }
    for (std::uint32_t i = 0; i < cluster_.nodes(); ++i) {
        consider(cluster_.value().nodes[i].down_until);
        consider(cluster_.value().nodes[i].hangs_until);
        const Duration server_now = cluster_.clock_of(NodeId{i}).time_since_epoch();
        for (const KeyEntry& key : data_of(NodeId{i}).keys().entries()) {
            if (!key.has_deadline()) continue;
            // A timer that fires at any time may fire just after the key has expired.
            consider(now() + key.deadline_ms * kMs - server_now + kMs);
        }
    }
    return least;
}

Phase PlainRun::phase_of(const Client& client, TaskId task) const {
    if (client.gone || !client.begun || client.work.waits_on()) return Phase::idle;
    return cluster_.machine(ClientId{static_cast<std::uint32_t>(&client - clients_.data())})
        .phase_of(task);
}

const RedisModel& PlainRun::data_of(NodeId server) const {
    return std::get<RedisStore>(cluster_.value().nodes[server.value].store).data();
}

const KeyEntry* PlainRun::lock_key(NodeId server) const {
    return data_of(server).keys().stored(kLock);
}

}  // namespace locklab
