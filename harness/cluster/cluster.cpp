#include "harness/cluster/cluster.h"

#include <algorithm>
#include <iterator>

namespace locklab {

Cluster::Cluster(const ClusterConfig& config, Agenda& agenda, ScriptEngine& scripts)
    : Cluster(config, agenda, &scripts, nullptr) {}

Cluster::Cluster(const ClusterConfig& config, Agenda& agenda, RemoteStore& server)
    : Cluster(config, agenda, nullptr, &server) {}

Cluster::Cluster(const ClusterConfig& config, Agenda& agenda, ScriptEngine* scripts,
                 RemoteStore* server)
    : config_(config), agenda_(agenda), scripts_(scripts) {
    if (scripts_ != nullptr) {
        scripts_->forget_not_modelled();
        scripts_->run_in(config_.algorithm->server);
    }
    for (std::uint32_t i = 0; i < nodes(); ++i) {
        add_node(server != nullptr ? Node{server} : Node{RedisStore(*scripts)});
    }
    add_node(Node{OracleStore(config_.looks_at_fences)});
    value_.clients.resize(config_.workers());
    tokens_held_.resize(config_.workers());
    value_.unfinished = config_.workers();
    std::array<std::uint32_t, kChannels> none;
    none.fill(Message::kNone);
    value_.last_sent.resize(config_.workers() * value_.nodes.size(), none);
    value_.connections.resize(value_.last_sent.size());
    value_.cut_until.resize(value_.last_sent.size());
    for (std::uint32_t i = 0; i < config_.clients; ++i) {
        if (config_.taped) tapes_.push_back(std::make_unique<Tape>(*this));
        const ClientId first{i * config_.tasks};
        Host& host = config_.taped ? static_cast<Host&>(*tapes_.back()) : *this;
        ClientProcess process = make_process(first, config_, config_.key, host);
        std::ranges::move(process.machines, std::back_inserter(machines_));
        locks_.push_back(std::move(process.locks));
    }
}

Cluster::~Cluster() = default;

void Cluster::add_node(Node node) {
    auto* redis = std::get_if<RedisStore>(&node.store);
    if (redis != nullptr && config_.record) redis->watch(config_.key.name);
    value_.nodes.push_back(std::move(node));
}

void Cluster::start(ClientId id, const Workload& workload) {
    Machine& machine = *machines_[id.value];
    if (Tape* tape = tape_of(id)) tape->starts(id, workload);
    machine.start(work(machine, locks_[id.value / config_.tasks], workload));
}

void Cluster::go_home(ClientId id) {
    rest(id);
    leave_for_good(id);
}

void Cluster::rest(ClientId id) {
    note(id, machines_[id.value]->phase_of(TaskId{}), event::Finished{}, ResourceId{});
}

void Cluster::want_again(ClientId id) {
    Machine& machine = *machines_[id.value];
    machine.begin_round();
    note(id, machine.phase_of(TaskId{}), event::Wants{}, ResourceId{});
}

void Cluster::leave_for_good(ClientId id) {
    if (Tape* tape = tape_of(id)) tape->crashes(id);
    machines_[id.value]->crash();
    leave_connections(id);
}

void Cluster::apply(const Move& move) {
    switch (move.kind) {
        case MoveKind::fire:
            probes_.hit(Probe::fire);
            observe(move, 0, Reply());
            return;
        case MoveKind::learn: learn(move.client); return;
        case MoveKind::arrive: arrive(move.message); return;
        case MoveKind::deliver: {
            Message& message = value_.messages[move.message];
            probes_.hit(message.reply.is_unknown() ? Probe::deliver_refusal : Probe::deliver);
            observe(move, message.call, std::move(message.reply));
            return;
        }
        case MoveKind::expire:
            will_expire(move.message);
            if (message(move.message).resend) {
                send_again(move);
            } else {
                probes_.hit(Probe::expire);
                observe(move, message(move.message).call, Reply::unknown());
            }
            return;
    }
}

void Cluster::drop(const Move& move) {
    probes_.hit(Probe::drop);
    end_wait(move);
}

void Cluster::end_wait(const Move& move) {
    if (move.kind == MoveKind::fire || move.kind == MoveKind::learn) return;
    value_.messages[move.message].told = true;
    free_if_over(move.message);
}

void Cluster::observe(const Move& move, std::uint64_t call, Reply&& reply) {
    Machine& machine = *machines_[move.client.value];
    if (call != 0 && config_.record) {
        note(move.client, machine.phase_of(move.task), event::Replied{call, reply},
             resource_at(message(move.message).route.node));
    }
    const NodeId from = move.kind == MoveKind::fire ? NodeId{} : message(move.message).server;
    if (Tape* tape = tape_of(move.client)) {
        tape->observes(move.client, move.task, move.ticket, reply, from);
    }
    machine.observe(move.task, move.ticket, std::move(reply), from);
    end_wait(move);
}

bool Cluster::is_waited_for(const Move& move) const {
    if (move.kind == MoveKind::learn) return !machines_[move.client.value]->finished();
    if (!machines_[move.client.value]->waits_for(move.task, move.ticket)) return false;
    if (move.kind == MoveKind::fire) return true;
    // In a wait for all servers, the part of this server may be over.
    const Message& its = message(move.message);
    const bool is_its_own = its.route.client == move.client && its.ticket == move.ticket;
    return is_its_own && !its.told;
}

Instant Cluster::held_up_until(const Move& move) const {
    const ClientValue& client = value_.clients[move.client.value];
    if (move.task.is_worker()) return client.paused_until;
    return std::max(client.paused_until, client.stalled_until);
}

WallTime Cluster::now(ClientId client) {
    probes_.hit(Probe::wall_clock);
    return config_.epoch + value_.now.time_since_epoch() +
           value_.clients[client.value].clock_offset;
}

WallTime Cluster::time_at(const Node& node) const {
    return config_.epoch + value_.now.time_since_epoch() + node.clock_offset;
}

MonotonicTime Cluster::monotonic(ClientId) {
    probes_.hit(Probe::monotonic_clock);
    return MonotonicTime(value_.now.time_since_epoch());
}

Token Cluster::fresh_token(ClientId client) {
    if (auto told = agenda_.token_of(client)) return std::move(*told);
    std::uint64_t& tokens = value_.clients[client.value].tokens;
    return Token{token_text(config_.tokens, client.value, ++tokens)};
}

void Cluster::note(ClientId client, Phase phase, EventDetail detail, ResourceId resource) {
    if (std::holds_alternative<event::Finished>(detail)) --value_.unfinished;
    if (const auto* granted = std::get_if<event::Granted>(&detail)) {
        tokens_held_[client.value] = granted->token.text;
    }
    if (!config_.record) return;
    history_.events.push_back(Event{value_.now, client, phase, std::move(detail), resource});
    agenda_.noted(history_.events.back());
    if (!config_.keeps_history) history_.events.clear();
}

void Cluster::threw(ClientId, TaskId task, const std::string& words) {
    if (history_.threw.empty()) history_.threw = words;
    if (task.is_worker()) --value_.unfinished;
}

std::uint64_t Cluster::next_grant(ClientId) {
    value_.last_grant = value_.now;
    return ++value_.grants;
}

std::optional<Duration> Cluster::slow_job(ClientId client, std::uint32_t round) {
    const auto slow = agenda_.slow_job(client, round);
    if (slow) note_fault(client, PlannedFault{Hazard::slow_job, {}, *slow});
    return slow;
}

std::optional<ClientId> Cluster::differs_alone() const {
    for (std::uint32_t i = 0; i < tapes_.size(); ++i) {
        const ClientId first{i * config_.tasks};
        const auto client = tapes_[i]->differs_alone(first, config_, config_.key);
        if (client) return client;
    }
    return std::nullopt;
}

History Cluster::take_history() {
    const std::string threw = std::move(history_.threw);
    static_cast<HistoryHead&>(history_) = head_of(config_, config_.key);
    history_.threw = threw;
    history_.end = value_.now;
    history_.began = config_.epoch;
    if (scripts_ != nullptr) history_.not_modelled = scripts_->not_modelled();
    history_.differs_alone = differs_alone();
    return std::move(history_);
}

}  // namespace locklab
