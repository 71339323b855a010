#include "harness/sim/simulator.h"

#include <algorithm>
#include <utility>

#include "harness/core/limits.h"
#include "harness/store/redis/redis_call.h"

namespace locklab {

namespace {

ClusterConfig cluster_config(const SimConfig& config) {
    ClusterConfig cluster = config;
    cluster.keep_snapshots = std::any_of(
        config.plan.begin(), config.plan.end(),
        [](const PlannedFault& fault) { return fault.hazard == Hazard::restart_snapshot; });
    return cluster;
}

}  // namespace

Simulator::Simulator(const SimConfig& config, Choices& choices, ScriptEngine& scripts)
    : config_(config),
      choices_(choices),
      faults_(config.plan),
      passed_over_(config.workers(), config.grants),
      cluster_(cluster_config(config), *this, scripts) {
    for (const PlannedFault& fault : config_.plan) {
        const bool now = row_of(fault.hazard).moment == FaultMoment::at_start;
        if (now) cluster_.strike(fault.moment.client, fault);
    }
    for (std::uint32_t i = 0; i < config_.workers(); ++i) {
        workloads_.push_back(its_workload(ClientId{i}, config_.workload, config_.unequal));
    }
    for (std::uint32_t i = 0; i < config_.workers(); ++i) {
        cluster_.start(ClientId{i}, workloads_[i]);
    }
}

void Simulator::run() {
    while (step()) {
    }
}

bool Simulator::step() {
    const ClusterValue& value = cluster_.value();
    // Once a lock has thrown, the rest of the run shows nothing.
    if (value.unfinished == 0 || !cluster_.thrown().empty()) return false;
    LOCKLAB_ASSERT(!queue_.empty() && "who is not finished waits for something");
    if (cluster_.events() > kMostEvents) {
        throw BoundHit("a run has more than " + std::to_string(kMostEvents) +
                       " events; right would be longer waits (--retry, wait_us) or fewer grants");
    }
    if (queue_.next_instant() - value.last_grant > config_.patience) {
        cluster_.pass_to(std::max(value.now, value.last_grant + config_.patience));
        return false;
    }
    const SimEvent event = queue_.pop(choices_);
    cluster_.pass_to(event.at);
    ++steps_;
    if (config_.pauses.every > Duration::zero()) pause_regularly();
    if (event.move.kind == MoveKind::arrive) {
        if (!waits_at_server(event.move.message)) cluster_.apply(event.move);
    } else {
        let_move(event.move);
    }
    return true;
}

void Simulator::is_ready(std::uint32_t id) {
    const Message& message = cluster_.message(id);
    cluster_.set_arrival(id, draw_from(cluster_.value().now));
    const PlannedFault* fault = nullptr;
    if (message.route.node != kOracle && !message.resent) {
        const ClientId client = message.route.client;
        const std::uint32_t round = cluster_.machine(client).round();
        fault = faults_.on_send(client, round, message.phase);
    }
    cluster_.depart(id, fault);
}

void Simulator::armed(const Move& move, const Window& window) {
    switch (move.kind) {
        case MoveKind::fire: push(window.earliest, move); return;
        case MoveKind::arrive:
            push(std::max(window.earliest, cluster_.message(move.message).arrives), move);
            return;
        case MoveKind::deliver: push_reply(move, window.earliest); return;
        case MoveKind::expire: push_expiry_if_certain(move.message); return;
        case MoveKind::learn: push(draw_learning(window.earliest), move); return;
    }
}

Instant Simulator::draw_learning(Instant earliest) {
    const std::int64_t q = choices_.pick(ChoiceKind::fault, kQuantiles);
    return earliest + config_.scale / std::int64_t{kQuantiles} * q;
}

void Simulator::push_reply(const Move& move, Instant earliest) {
    const Message& message = cluster_.message(move.message);
    const Instant arrives = draw_from(earliest) + message.reply_late;
    const bool waits = message.route.node == kOracle || message.reply.is_unknown();
    if (waits || arrives <= cluster_.patience_ends(message)) {
        push(arrives, move);
    } else {
        push_expiry(move.message);
    }
}

void Simulator::push_expiry_if_certain(std::uint32_t id) {
    const Message& message = cluster_.message(id);
    if (message.unanswered || message.arrives >= cluster_.patience_ends(message)) push_expiry(id);
}

void Simulator::push_expiry(std::uint32_t id) {
    cluster_.will_expire(id);
    const Message& message = cluster_.message(id);
    push(std::max(cluster_.value().now, cluster_.patience_ends(message)),
         cluster_.move_of(MoveKind::expire, id));
}

/// Messages that arrive while a server hangs wait until it continues. It then takes them one by
/// one, in the order of their arrival; a client may have given up by then.
bool Simulator::waits_at_server(std::uint32_t id) {
    const Message& message = cluster_.message(id);
    if (message.route.node == kOracle) return false;
    const NodeId node = message.route.node;
    const Instant goes_on = cluster_.value().nodes[node.value].hangs_until;
    if (goes_on <= cluster_.value().now) return false;
    Queue& queue = queues_[node];
    const bool is_first = std::exchange(queue.goes_on, goes_on) != goes_on;
    queue.last = is_first ? goes_on : queue.last + Duration(1);
    const Instant patience_ends = cluster_.patience_ends(message);
    const bool gives_up =
        !message.unanswered && message.arrives < patience_ends && queue.last >= patience_ends;
    cluster_.set_arrival(id, queue.last);
    if (gives_up) push_expiry(id);
    push(queue.last, cluster_.move_of(MoveKind::arrive, id));
    return true;
}

void Simulator::let_move(const Move& move) {
    if (!cluster_.is_waited_for(move)) {
        cluster_.drop(move);
        return;
    }
    if (put_off(move)) return;
    if (move.kind == MoveKind::learn) return cluster_.apply(move);
    const bool sends_again = move.kind == MoveKind::expire && cluster_.message(move.message).resend;
    const Machine& machine = cluster_.machine(move.client);
    const PlannedFault* fault = sends_again ? nullptr
                                            : faults_.on_observation(move.client, machine.round(),
                                                                     machine.phase_of(move.task));
    if (fault != nullptr) {
        const bool takes = move.kind == MoveKind::deliver;
        PlannedFault struck = *fault;
        const bool evicts = row_of(struck.hazard).loss == FaultLoss::key;
        if (evicts) struck.key = draw_key(struck.node);
        cluster_.strike(move.client, struck, std::span(&move.message, takes ? 1 : 0));
        if (machine.crashed()) {
            cluster_.drop(move);
            return;
        }
        if (put_off(move)) return;
    }
    cluster_.apply(move);
}

/// Of the keys that the server has, one; empty: the lock's own.
std::string Simulator::draw_key(NodeId server) {
    const auto* redis = std::get_if<RedisStore>(&cluster_.value().nodes[server.value].store);
    if (redis == nullptr || !config_.evicts_any_key) return {};
    std::vector<std::string_view> names;
    const std::int64_t now_ms = milliseconds(cluster_.clock_of(server));
    for (const KeyEntry& entry : redis->data().keys().entries()) {
        if (!entry.expired(now_ms)) names.push_back(entry.name);
    }
    if (names.empty()) return {};
    const auto most = static_cast<std::uint32_t>(names.size());
    const std::uint32_t pick = most == 1 ? 0 : choices_.pick(ChoiceKind::fault, most);
    return names[pick] == config_.key.name ? std::string() : std::string(names[pick]);
}

bool Simulator::put_off(const Move& move) {
    const Instant until = cluster_.held_up_until(move);
    if (until <= cluster_.value().now) return false;
    push(until, move);
    return true;
}

void Simulator::pause_regularly() {
    const Instant now = cluster_.value().now;
    while (true) {
        const Instant begins(config_.pauses.every * static_cast<std::int64_t>(regular_pauses_ + 1));
        if (begins > now) return;
        ++regular_pauses_;
        const ClientId id{choices_.pick(ChoiceKind::fault, config_.workers())};
        if (cluster_.process_finished(id)) continue;
        cluster_.pause(id, begins, config_.pauses.length);
    }
}

History Simulator::take_history() {
    History history = cluster_.take_history();
    history.world = "sim";
    history.patience = config_.patience;
    return history;
}

}  // namespace locklab
