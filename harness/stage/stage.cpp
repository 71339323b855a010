#include "harness/stage/stage.h"

#include <algorithm>

#include "harness/store/redis/key_shadow.h"

namespace locklab {

Stage::Stage(StageConfig config, StageWorld& world, CommandFaults& faults)
    : config_(std::move(config)), world_(world), faults_(faults) {
    for (std::uint32_t i = 0; i < config_.clients.size(); ++i) {
        Client& client = clients_.emplace_back();
        client.machine = std::make_unique<Machine>(ClientId{i}, *this);
        client.lock = config_.algorithm->make(*client.machine, config_.key, config_.options);
        client.clock_offset = config_.clients[i].clock_offset;
        if (client.clock_offset != Duration::zero()) {
            note_fault(ClientId{i}, Hazard::clock_offset, client.clock_offset);
        }
    }
}

Stage::~Stage() {
    // The tasks use the locks, so they go first.
    for (Client& client : clients_) client.machine->crash();
}

void Stage::start(ClientId id) {
    Client& client = clients_[id.value];
    client.started = true;
    client.machine->start(work(*client.machine, *client.lock, config_.clients[id.value].workload));
}

bool Stage::is_awake(const Wait& wait) const {
    const Client& client = clients_[wait.client.value];
    const bool stalled = !wait.task.is_worker() && client.stalled.has_value();
    return !client.paused && !stalled && client.machine->waits_for(wait.task, wait.ticket);
}

std::optional<Cue::Kind> Stage::move_of(const Wait& wait) {
    if (wait.in_network && (wait.told || !is_awake(wait) || world_.now() < wait.due)) {
        return Cue::Kind::arrive;
    }
    if (wait.reply_held && (!is_awake(wait) || world_.now() < wait.due)) return Cue::Kind::come;
    if (wait.told || !is_awake(wait)) return std::nullopt;
    if (wait.is_timer) {
        if (world_.now() < wait.due) return std::nullopt;
        return Cue::Kind::wake;
    }
    if (!wait.sent) return Cue::Kind::send;
    if (wait.answered) return Cue::Kind::take;
    if (world_.now() >= wait.due) return Cue::Kind::expire;
    return std::nullopt;
}

std::vector<Cue> Stage::moves() {
    std::vector<Cue> moves;
    std::vector<Cue> arrivals;
    for (const auto& wait : waits_) {
        const auto kind = move_of(*wait);
        if (!kind) continue;
        const bool late = (*kind == Cue::Kind::arrive && wait->fault == CommandFault::delay) ||
                          *kind == Cue::Kind::come;
        (late ? arrivals : moves).push_back({*kind, wait.get()});
    }
    moves.insert(moves.end(), arrivals.begin(), arrivals.end());
    return moves;
}

void Stage::step(Choices& choices) {
    const std::vector<Cue> all = moves();
    LOCKLAB_ASSERT(!all.empty());
    make(all[choices.pick(ChoiceKind::next_event, static_cast<std::uint32_t>(all.size()))]);
}

void Stage::make(const Cue& move) {
    Wait& wait = const_cast<Wait&>(*move.wait);
    switch (move.kind) {
        case Cue::Kind::send: send(wait); break;
        case Cue::Kind::take: tell(wait, wait.reply); break;
        case Cue::Kind::wake: tell(wait, Reply()); break;
        case Cue::Kind::expire: expire(wait); break;
        case Cue::Kind::arrive:
            wait.in_network = false;
            execute(wait);
            break;
        case Cue::Kind::come:
            wait.reply_held = false;
            wait.answered = true;
            break;
    }
    forget_done();
}

void Stage::send(Wait& wait) {
    wait.sent = true;
    wait.sent_at = world_.now();
    const bool again = wait.call != 0;
    wait.fault = faults_.on_send(wait);
    if (wait.node != kOracle) wait.due = wait.sent_at + config_.command_timeout;
    if (wait.node != kOracle && !again) {
        wait.call = ++calls_;
        note(wait.client, wait.phase, event::Sent{wait.call, wait.node, wait.command});
    }
    switch (wait.fault) {
        case CommandFault::none: execute(wait); return;
        case CommandFault::lose_request:
            note_fault(wait.client, Hazard::lose_request, {}, wait.call);
            return;
        case CommandFault::lose_reply:
            note_fault(wait.client, Hazard::lose_reply, {}, wait.call);
            break;
        case CommandFault::delay_reply:
            note_fault(wait.client, Hazard::delay_reply, {}, wait.call);
            break;
        case CommandFault::retry: note_fault(wait.client, Hazard::retry, {}, wait.call); break;
        case CommandFault::delay:
            note_fault(wait.client, Hazard::delay_request, {}, wait.call);
            wait.in_network = true;
            return;
    }
    execute(wait);
}

void Stage::execute(Wait& wait) {
    wait.reply_held = wait.fault == CommandFault::delay_reply && !wait.told;
    const bool gone = wait.fault == CommandFault::lose_reply || wait.fault == CommandFault::retry;
    if (wait.node == kOracle) {
        outbox_.clear();
        oracle_.on(Request{{wait.client, channel_of(wait.task), kOracle}, &wait.command},
                   now(wait.client), outbox_);
        wait.reply = outbox_.take_reply();
        if (outbox_.note()) note(wait.client, wait.phase, std::move(*outbox_.note()));
    } else {
        CommandResult ran = world_.run(wait.client, wait.command, config_.key);
        wait.reply = std::move(ran.reply);
        note(wait.client, wait.phase,
             event::Executed{wait.call, wait.node, wait.sent_at, wait.command, wait.reply,
                             ran.effect});
        look();
    }
    wait.answered = !gone && !wait.reply_held;
}

void Stage::expire(Wait& wait) {
    if (wait.fault != CommandFault::retry) {
        tell(wait, Reply::unknown());
        return;
    }
    // Sent again, when it is the client library's turn.
    wait.fault = CommandFault::none;
    wait.sent = false;
}

bool Stage::wake_early(ClientId client) {
    const auto timer = std::find_if(waits_.begin(), waits_.end(), [&](const auto& wait) {
        return wait->client == client && wait->task.is_worker() && wait->is_timer && !wait->told;
    });
    if (timer == waits_.end()) return false;
    tell(**timer, Reply());
    forget_done();
    return true;
}

std::optional<Duration> Stage::slow_job(ClientId client, std::uint32_t) {
    const std::optional<Duration> length = std::exchange(clients_[client.value].next_job, {});
    if (length) note_fault(client, Hazard::slow_job, *length);
    return length;
}

void Stage::tell(Wait& wait, Reply reply) {
    wait.told = true;
    wait.reply_held = false;
    if (wait.call != 0) note(wait.client, wait.phase, event::Replied{wait.call, reply});
    clients_[wait.client.value].machine->observe(wait.task, wait.ticket, std::move(reply));
}

void Stage::forget_done() {
    std::erase_if(waits_, [&](const auto& wait) {
        const Machine& machine = *clients_[wait->client.value].machine;
        const bool waited_for = !wait->told && machine.waits_for(wait->task, wait->ticket);
        if (waited_for) return false;
        const bool is_request = !wait->is_timer && wait->node != kOracle;
        if (is_request && !wait->sent && !machine.crashed()) leave_behind(*wait);
        return !wait->in_network;
    });
}

/// Its task was cancelled, but a request leaves as soon as its task waits.
void Stage::leave_behind(Wait& wait) {
    wait.told = true;
    wait.sent = true;
    wait.in_network = true;
    if (wait.call != 0) return;
    wait.sent_at = world_.now();
    wait.call = ++calls_;
    note(wait.client, wait.phase, event::Sent{wait.call, wait.node, wait.command});
    wait.fault = faults_.on_send(wait);
    if (wait.fault == CommandFault::delay)
        note_fault(wait.client, Hazard::delay_request, {}, wait.call);
    if (wait.fault != CommandFault::lose_request) return;
    note_fault(wait.client, Hazard::lose_request, {}, wait.call);
    wait.in_network = false;
}

bool Stage::is_waiting(std::uint32_t id) const {
    return std::any_of(waits_.begin(), waits_.end(),
                       [&](const auto& wait) { return wait->id == id && !wait->told; });
}

bool Stage::waits_for_network(ClientId client) const {
    return std::any_of(waits_.begin(), waits_.end(), [&](const auto& wait) {
        const bool in_vain = wait->in_network && wait->due == Instant::max();
        return wait->client == client && wait->task.is_worker() && (in_vain || wait->reply_held);
    });
}

void Stage::pass_until(Instant at) {
    world_.wait_until(at);
    look();
}

void Stage::act(ClientId client, TaskId task, Action& action) {
    auto wait = std::make_unique<Wait>();
    wait->id = ++last_wait_;
    wait->client = client;
    wait->task = task;
    wait->ticket = action.ticket;
    wait->phase = clients_[client.value].machine->phase_of(task);
    wait->is_timer = action.kind == Action::Kind::sleep;
    if (wait->is_timer) {
        wait->due = world_.now() + action.sleep;
    } else {
        wait->node = action.node;
        wait->command = std::move(action.command);
    }
    waits_.push_back(std::move(wait));
}

WallTime Stage::now(ClientId client) {
    return kEpoch + world_.now().time_since_epoch() + clients_[client.value].clock_offset;
}

MonotonicTime Stage::monotonic(ClientId) { return MonotonicTime(world_.now().time_since_epoch()); }

Token Stage::fresh_token(ClientId client) {
    return Token{token_text(config_.tokens, client.value, ++clients_[client.value].tokens)};
}

void Stage::note(ClientId id, Phase phase, EventDetail detail) {
    Progress& progress = clients_[id.value].progress;
    if (std::holds_alternative<event::Wants>(detail)) {
        ++progress.wants;
        progress.wanting = true;
    } else if (std::holds_alternative<event::Refused>(detail) ||
               std::holds_alternative<event::Failed>(detail)) {
        ++progress.refusals;
    } else if (std::holds_alternative<event::Granted>(detail)) {
        ++progress.grants;
        progress.wanting = false;
    } else if (std::holds_alternative<event::Wrote>(detail)) {
        ++progress.writes;
    } else if (std::holds_alternative<event::Released>(detail)) {
        ++progress.releases;
    } else if (std::holds_alternative<event::Finished>(detail)) {
        progress.gone = true;
    }
    scene_.history.events.push_back({world_.now(), id, phase, std::move(detail)});
}

std::uint64_t Stage::next_grant(ClientId) {
    last_grant_ = world_.now();
    return ++grants_;
}

void Stage::remark(std::string text) {
    scene_.remarks.push_back({events(), world_.now(), std::move(text)});
}

Scene Stage::take_scene(Duration patience) {
    History& history = scene_.history;
    history.world = world_.name();
    history.algorithm = config_.algorithm->name;
    history.clients = clients();
    history.key = config_.key.name;
    history.end = world_.now();
    history.patience = patience;
    history.began = kEpoch;
    history.clock_unit = config_.options.clock_unit;
    history.tells_within =
        told_within(*config_.algorithm, config_.options, config_.command_timeout);
    tell_effects(history);
    history.not_modelled = world_.not_modelled();
    return std::move(scene_);
}

}  // namespace locklab
