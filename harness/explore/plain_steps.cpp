// The effects of the steps of a plain run.

#include <algorithm>

#include "harness/explore/lock_threw.h"
#include "harness/explore/plain_run.h"
#include "harness/explore/step_text.h"

namespace locklab {

void PlainRun::armed(const Move& move, const Window& window) {
    Pending pending{move, window, window.latest};
    if (move.kind == MoveKind::fire) {
        const Client& client = clients_[move.client.value];
        const Phase phase = cluster_.machine(move.client).phase_of(move.task);
        switch (client.work.timing_of(move.task, phase)) {
            case Timing::exact:
                // A client that goes on trying uses the newcomers' short wait.
                if (move.task.is_worker() && client.work.tries_on() &&
                    client.work.is_between_tries()) {
                    const Instant next = now() + newcomers_bounds_.wait;
                    pending = {move, {next, next}, next};
                }
                break;
            case Timing::lazy: pending.window = {now(), Instant::max()}; break;
            case Timing::early: pending.window.earliest = now(); break;
            case Timing::never:
                pending.window = {Instant::max(), Instant::max()};
                pending.stop = Instant::max();
        }
    } else if (move.kind == MoveKind::arrive) {
        pending.stop = pending.window.latest = cluster_.message(move.message).arrives;
    } else if (move.kind == MoveKind::deliver) {
        if (window.earliest > now()) return;  // refused: the client learns of it as it gives up
        const auto known = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& p) {
            return p.move.kind == MoveKind::deliver && p.move.message == move.message;
        });
        if (known != pending_.end()) return;  // the connection of the message broke meanwhile
        if (window.latest == Instant::max()) {
            const Message& message = cluster_.message(move.message);
            const bool is_late = message.reply_late > Duration::zero();
            pending.window.latest =
                window.earliest + (is_late ? message.reply_late : latency_to(message.route));
        }
        pending.stop = pending.window.latest;
    }
    pending_.push_back(pending);
}

std::optional<Duration> PlainRun::slow_job(ClientId, std::uint32_t) {
    asked_slow_ = true;
    if (!slow_) return std::nullopt;
    return bounds_.slow_job;
}

bool PlainRun::make(const Step& step) {
    cover(step);
    const std::optional<Hazard> hazard = hazard_of(step);
    if (hazard) --left(*hazard);
    slow_ = step.slow;
    asked_slow_ = false;
    switch (step.kind) {
        using enum Step::Kind;
        case send:
        case lose_request:
        case lose_reply:
        case delay:
        case delay_reply:
        case retry:
        case error:
        case noscript:
        case reset_request:
        case reset_reply:
        case cut_request:
        case cut_reply: send_command(step); break;
        case take:
        case wake:
        case expire: observe(step); break;
        case arrive: let_arrive(step); break;
        case pass:
            cluster_.pass_to(now() + step.ms * kMs);
            cover_passing();
            break;
        case resume:
            step.slot == 0 ? cluster_.end_pause(id_of(step)) : cluster_.end_stall(id_of(step));
            break;
        case heal: cluster_.heal(id_of(step), NodeId{server_of(step.slot)}); break;
        case leave:
            --leaves_;
            cluster_.go_home(id_of(step));
            clients_[step.client].gone = true;
            break;
        case save: cluster_.save(NodeId{step.slot}); break;
        case back: cluster_.bring_back(NodeId{step.slot}); break;
        case thaw: cluster_.end_hang(NodeId{step.slot}); break;
        case learn: let_learn(id_of(step)); break;
        default: strike(step, *hazard);
    }
    for (std::uint32_t i = 0; i < cluster_.nodes(); ++i) cluster_.tick(NodeId{i});
    settle(id_of(step));
    return !step.slow || asked_slow_;
}

std::vector<std::uint32_t>::const_iterator PlainRun::ready_for(const Step& step) const {
    const auto ready = std::find_if(ready_.begin(), ready_.end(), [&](std::uint32_t message) {
        const Step its = step_at(step.kind, cluster_.move_of(MoveKind::arrive, message));
        return its.client == step.client && its.slot == step.slot;
    });
    LOCKLAB_ASSERT(ready != ready_.end());
    return ready;
}

void PlainRun::send_command(const Step& step) {
    const auto ready = ready_for(step);
    const std::uint32_t message = *ready;
    ready_.erase(ready);
    depart(message, step);
}

void PlainRun::depart(std::uint32_t message, const Step& step) {
    const std::optional<Hazard> hazard =
        step.kind == Step::Kind::send ? std::nullopt : hazard_of(step);
    PlannedFault fault{hazard.value_or(kNoFault), {}, {}};
    if (hazard) fault.amount = bounds_.amount_of(*hazard);
    fault.error = error_of(step.kind).value_or(fault.error);
    fault.ran = step.kind == Step::Kind::reset_reply || step.kind == Step::Kind::cut_reply;
    const bool is_calm = step.kind == Step::Kind::send;
    const Duration way = is_calm ? latency_to(cluster_.message(message).route) : Duration::zero();
    cluster_.set_arrival(message, now() + way);
    cluster_.depart(message, hazard ? &fault : nullptr);
    if (cluster_.message(message).arrived || step.kind == Step::Kind::delay) return;
    if (way > Duration::zero()) return;
    const NodeId server = cluster_.message(message).route.node;
    if (hangs(server)) {
        queues_[server.value].push_back(message);
        return;
    }
    const Move arrival = pending_.back().move;
    LOCKLAB_ASSERT(arrival.kind == MoveKind::arrive && arrival.message == message);
    pending_.pop_back();
    sends_ = true;
    cluster_.apply(arrival);
    sends_ = false;
}

Move PlainRun::take(const Pending& pending) {
    const Move taken = pending.move;
    pending_.erase(pending_.begin() + (&pending - pending_.data()));
    return taken;
}

Move PlainRun::take_arrival(const Step& step) {
    for (const Pending& pending : pending_) {
        const Move& move = pending.move;
        const bool is_it = move.kind == MoveKind::arrive && step_at(step.kind, move) == step &&
                           first_arrival(route_of(move)) == &pending;
        if (is_it) return take(pending);
    }
    LOCKLAB_ASSERT(false && "it was offered");
    return {};
}

void PlainRun::observe(const Step& step) {
    Client& client = clients_[step.client];
    if (!client.begun) {
        client.begun = true;
        client.work.begin_step(TaskId{});
        cluster_.start(id_of(step), workloads_[step.client]);
        return;
    }
    for (const Pending& pending : pending_) {
        const bool again = sends_again(pending) && is_possible(pending) &&
                           step_at(step.kind, pending.move) == step;
        if (!again) continue;
        cluster_.apply(take(pending));
        return;
    }
    end_wait(step);
}

void PlainRun::let_learn(ClientId id) {
    const auto its = std::find_if(pending_.begin(), pending_.end(), [id](const Pending& pending) {
        return pending.move.kind == MoveKind::learn && pending.move.client == id;
    });
    LOCKLAB_ASSERT(its != pending_.end());
    cluster_.apply(take(*its));
}

/// Ends every server's part of the wait, one after the other.
void PlainRun::end_wait(const Step& step) {
    std::vector<Move> end;
    Step calm = step;
    calm.slow = false;
    for (const Pending& pending : pending_) {
        std::vector<Step> offered;
        if (!ends_wait(pending.move) || is_answered(pending)) continue;
        offer_end(pending, offered);
        if (std::find(offered.begin(), offered.end(), calm) == offered.end()) continue;
        for (const Pending* part : end_of_wait(pending)) end.push_back(part->move);
        break;
    }
    LOCKLAB_ASSERT(!end.empty());
    clients_[step.client].work.begin_step(end.front().task);
    for (const Move& move : end) {
        std::erase_if(pending_, [&](const Pending& p) { return p.move == move; });
        cluster_.apply(move);
    }
}

void PlainRun::settle(ClientId id) {
    Client& client = clients_[id.value];
    do {
        client.gone = client.gone || cluster_.machine(id).finished();
        forget(id);
    } while (pass_over(id));
    if (cluster_.thrown().empty()) return;
    throw LockThrew(algorithm_, cluster_.thrown());
}

bool PlainRun::pass_over(ClientId id) {
    for (std::size_t i = 0; i < ready_.size(); ++i) {
        const Message& message = cluster_.message(ready_[i]);
        if (message.route.client != id) continue;
        if (!BoundedClient::passes_over(message.command, message.route.node)) continue;
        const std::uint32_t over = ready_[i];
        ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(i));
        depart(over, {Step::Kind::send});
        const Move reply = pending_.back().move;
        pending_.pop_back();
        cluster_.apply(reply);
        return true;
    }
    for (std::size_t i = 0; i < pending_.size(); ++i) {
        const Move move = pending_[i].move;
        if (move.client != id || move.kind != MoveKind::fire || !cluster_.is_waited_for(move)) {
            continue;
        }
        const Phase phase = cluster_.machine(id).phase_of(move.task);
        if (!clients_[id.value].work.passes_over_sleep(phase)) continue;
        pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
        cluster_.apply(move);
        return true;
    }
    return false;
}

void PlainRun::forget(ClientId id) {
    const Client& client = clients_[id.value];
    const auto is_over = [&](const Move& move) {
        // Background tasks of a client that rests are not followed.
        const bool is_done = client.gone || (client.work.waits_on() && !move.task.is_worker());
        return move.client == id && (is_done || !cluster_.is_waited_for(move));
    };
    for (std::uint32_t i = 0; i < cluster_.value().messages.size(); ++i) {
        const Move move = cluster_.move_of(MoveKind::expire, i);
        if (!cluster_.message(i).in_flight || cluster_.message(i).told || !is_over(move)) continue;
        cluster_.will_expire(i);  // cancelling its task closes the connection
        cluster_.drop(move);
    }
    std::vector<std::uint32_t> over;
    std::erase_if(ready_, [&](std::uint32_t i) {
        if (!is_over(cluster_.move_of(MoveKind::expire, i))) return false;
        over.push_back(i);
        return true;
    });
    for (const std::uint32_t i : over) leave_behind(i);
    std::erase_if(pending_, [&](const Pending& pending) {
        const Move& move = pending.move;
        if (move.kind != MoveKind::arrive) return is_over(move);
        const Message& message = cluster_.message(move.message);
        return !message.in_flight || message.arrived;
    });
}

/// A request is sent as soon as its task waits, even if the task is cancelled right then.
void PlainRun::leave_behind(std::uint32_t id) {
    const Message& message = cluster_.message(id);
    if (cluster_.machine(message.route.client).crashed() || message.route.node == kOracle) {
        cluster_.withdraw(id);
        return;
    }
    coverage_.sent.insert({shape_of(message.command), Phase::background});
    cluster_.drop(cluster_.move_of(MoveKind::expire, id));
    cluster_.set_arrival(id, now());
    cluster_.depart(id);
}

}  // namespace locklab
