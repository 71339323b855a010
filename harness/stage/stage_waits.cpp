// The waits of a stage's tasks, from their beginning until the cluster is told of their end.

#include <algorithm>

#include "harness/stage/stage.h"

namespace locklab {

std::optional<Hazard> hazard_of(CommandFault fault) {
    switch (fault) {
        case CommandFault::none:
        case CommandFault::travels: return std::nullopt;
        case CommandFault::lose_request: return Hazard::lose_request;
        case CommandFault::lose_reply: return Hazard::lose_reply;
        case CommandFault::delay: return Hazard::delay_request;
        case CommandFault::delay_reply: return Hazard::delay_reply;
        case CommandFault::retry: return Hazard::retry;
        case CommandFault::error:
        case CommandFault::noscript: return Hazard::error_reply;
        case CommandFault::reset_request:
        case CommandFault::reset_reply: return Hazard::reset;
    }
    return std::nullopt;
}

std::optional<ErrorKind> error_of(CommandFault fault) {
    if (fault == CommandFault::error) return ErrorKind::loading;
    if (fault == CommandFault::noscript) return ErrorKind::noscript;
    return std::nullopt;
}

Move Stage::move_of(MoveKind kind, const Wait& wait) {
    return {kind, wait.client, wait.task, wait.ticket, wait.message};
}

Wait& Stage::add(const Move& move) {
    Wait& wait = *waits_.emplace_back(std::make_unique<Wait>());
    wait.id = ++last_wait_;
    wait.client = move.client;
    wait.task = move.task;
    wait.ticket = move.ticket;
    wait.message = move.message;
    wait.phase = cluster_.machine(move.client).phase_of(move.task);
    return wait;
}

void Stage::is_ready(std::uint32_t id) {
    if (again_ != nullptr) {
        again_->message = id;
        return;
    }
    Wait& wait = add(cluster_.move_of(MoveKind::arrive, id));
    wait.node = cluster_.message(id).route.node;
    wait.command = cluster_.message(id).command;
}

void Stage::armed(const Move& move, const Window& window) {
    switch (move.kind) {
        case MoveKind::fire: {
            Wait& timer = add(move);
            timer.is_timer = true;
            timer.due = window.earliest;
            return;
        }
        case MoveKind::arrive:
        case MoveKind::learn: return;  // at its cue
        case MoveKind::deliver: {
            if (window.earliest > time()) return;  // refused: learnt when it gives up
            Wait& wait = wait_for(move.message);
            wait.answered = !wait.reply_held;
            return;
        }
        case MoveKind::expire: wait_for(move.message).due = window.earliest; return;
    }
}

Wait& Stage::wait_for(std::uint32_t message) {
    const auto found = std::find_if(waits_.begin(), waits_.end(), [&](const auto& wait) {
        return !wait->is_timer && !wait->told && wait->message == message;
    });
    LOCKLAB_ASSERT(found != waits_.end());
    return **found;
}

void Stage::send(Wait& wait) {
    wait.sent = true;
    wait.fault = faults_.on_send(wait);
    if (wait.fault == CommandFault::none && hung_.contains(wait.node)) {
        wait.fault = CommandFault::travels;
    }
    depart(wait, wait.fault);
    wait.in_network = wait.fault == CommandFault::delay || wait.fault == CommandFault::travels;
    if (wait.in_network || wait.fault == CommandFault::lose_request) return;
    execute(wait);
}

void Stage::depart(Wait& wait, CommandFault fault) {
    const std::optional<Hazard> hazard = hazard_of(fault);
    PlannedFault planned{hazard.value_or(kNoFault), {}, {}};
    planned.error = error_of(fault).value_or(planned.error);
    planned.ran = fault == CommandFault::reset_reply;
    cluster().depart(wait.message, hazard ? &planned : nullptr);
}

void Stage::execute(Wait& wait) {
    wait.reply_held = wait.fault == CommandFault::delay_reply && !wait.told;
    cluster().apply(move_of(MoveKind::arrive, wait));
    if (wait.node != kOracle) look();
}

void Stage::on(const Input& input, WallTime, Outbox& out) {
    if (const auto* closed = std::get_if<Closed>(&input)) world_.close(closed->route);
    const auto* request = std::get_if<Request>(&input);
    if (request == nullptr) return;
    CommandResult ran = world_.run(request->route, *request->command, config_.key);
    out.reply(std::move(ran.reply));
    out.delta(ran.effect);
    out.others(std::move(ran.others));
    cluster_.pass_to(world_.now());
}

void Stage::expire(Wait& wait) {
    if (wait.fault != CommandFault::retry) {
        tell(wait, MoveKind::expire);
        return;
    }
    // The command is sent again when the client library retries.
    wait.fault = CommandFault::none;
    wait.sent = false;
    again_ = &wait;
    cluster().apply(move_of(MoveKind::expire, wait));
    again_ = nullptr;
    wait.node = cluster_.message(wait.message).route.node;
}

void Stage::forget_done() {
    for (const auto& wait : waits_) {
        const Machine& machine = cluster_.machine(wait->client);
        const bool waited_for = machine.waits_for(wait->task, wait->ticket);
        if (!wait->told && !waited_for) forget(*wait);
    }
    std::erase_if(waits_, [](const auto& wait) { return wait->told && !wait->in_network; });
}

/// Its task was cancelled, or its client is gone. A request counts as sent once its task waits.
void Stage::forget(Wait& wait) {
    wait.told = true;
    if (wait.is_timer) return;
    const bool stays = wait.node == kOracle || cluster_.machine(wait.client).crashed();
    if (!wait.sent && stays) {
        cluster_.withdraw(wait.message);
        return;
    }
    if (wait.sent) cluster_.will_expire(wait.message);  // its connection is closed
    cluster_.drop(move_of(MoveKind::expire, wait));
    if (wait.sent) return;
    wait.sent = wait.in_network = true;
    CommandFault fault = CommandFault::none;
    if (!cluster_.message(wait.message).resent) fault = wait.fault = faults_.on_send(wait);
    const bool lost = fault == CommandFault::lose_request;
    wait.in_network = !lost;
    depart(wait, lost || fault == CommandFault::delay ? fault : CommandFault::none);
}

}  // namespace locklab
