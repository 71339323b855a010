// The worker of a client, as in core/worker.cpp, with a driver in place of a lock.

#include <algorithm>

#include "harness/foreign/driver_stage.h"
#include "harness/foreign/slowness.h"
#include "harness/live/processor_wait.h"

namespace locklab {

namespace {

/// A step takes no time; it is awaited for at most this long.
constexpr Duration kLongestStep = std::chrono::seconds(2);

}  // namespace

void DriverStage::ask(Actor& actor, const DriverWorker::Request& request) {
    if (request.op != DriverOp::step && request.op != DriverOp::extend) actor.has_sent = false;
    actor.worker.asked(actor.driver->ask(request.op, request.more));
}

bool DriverStage::hear_all() {
    bool heard = false;
    for (Actor& actor : actors_) {
        while (!actor.is_dead() && !actor.paused && hear(actor)) heard = true;
    }
    return heard;
}

bool DriverStage::hear(Actor& actor) {
    const DriverWord word = actor.driver->hear(Duration(0));
    if (std::holds_alternative<DriverSilence>(word)) return false;
    const DriverWorker::Heard heard = actor.worker.hear(word);
    if (first_error_.empty()) first_error_ = actor.worker.first_error();
    switch (heard) {
        case DriverWorker::Heard::nothing:
        case DriverWorker::Heard::complaint: break;
        case DriverWorker::Heard::lost: told_lost(actor); break;
        case DriverWorker::Heard::answer: take(actor, std::get<DriverAnswer>(word)); break;
    }
    return true;
}

void DriverStage::told_lost(Actor& actor) {
    if (is_in_company(actor)) told_of_loss_.insert(actor.id());
}

bool DriverStage::is_in_company(const Actor& actor) const {
    return std::ranges::any_of(actors_, [&](const Actor& other) {
        return other.id() != actor.id() && !other.is_dead() && other.phase() == Phase::inside;
    });
}

void DriverStage::take(Actor& actor, const DriverAnswer& answer) {
    const bool has_cue =
        answer.op == DriverOp::step || answer.op == DriverOp::extend || actor.has_sent;
    if (has_cue) return take_result(actor, answer);
    // The driver asked no server, so no command of it had a cue: its answer gets one.
    Held& wait = add(actor.id(), TaskId{}, actor.phase());
    wait.node = kOracle;
    wait.command = Command::of("ANSWER");
    wait.answer = answer;
    wait.sent = wait.answered = true;
}

void DriverStage::take_result(Actor& actor, const DriverAnswer& answer) {
    if (answer.op == DriverOp::acquire && answer.yes == true) leave_to_watchdog(actor);
    if (answer.op != DriverOp::step && answer.op != DriverOp::extend) give_up_on(actor);
    const bool was_lost = actor.worker.is_lost();
    const DriverWorker::Outcome outcome = actor.worker.take(answer);
    actor.shown = outcome == DriverWorker::Outcome::inside;
    switch (outcome) {
        case DriverWorker::Outcome::granted: return granted(actor);
        case DriverWorker::Outcome::refused: return refused(actor);
        case DriverWorker::Outcome::releases: return ask(actor, actor.worker.next());
        case DriverWorker::Outcome::inside: actor.woke = false; return;
        case DriverWorker::Outcome::outside:
            if (!was_lost && actor.worker.is_lost()) told_lost(actor);
            return;
        case DriverWorker::Outcome::extended: return plan_extension(actor);
        case DriverWorker::Outcome::released: return released(actor);
        case DriverWorker::Outcome::nobodys_news: return;
    }
}

/// A grant does not rest on a command that had no cue: a command still held is a watchdog's.
void DriverStage::leave_to_watchdog(Actor& actor) {
    for (const auto& wait : waits_) {
        const bool is_its = wait->client == actor.id() && wait->task.is_worker() && !wait->sent &&
                            !wait->told && !wait->is_timer && wait->node != kOracle;
        if (!is_its) continue;
        wait->task = TaskId{1};
        wait->phase = Phase::background;
        teller_->give_to_watchdog(wait->name);
    }
}

void DriverStage::granted(Actor& actor) {
    ++actor.progress.grants;
    actor.progress.wanting = actor.progress.refused = false;
    last_grant_ = now();
    wants_proof_ = true;
    plan_extension(actor);
    add_register(actor, Command::of("READ"));
}

void DriverStage::refused(Actor& actor) {
    ++actor.progress.refusals;
    actor.progress.refused = !actor.worker.is_unsure();
    sleep(actor, workload(actor).wait.delay);
}

void DriverStage::released(Actor& actor) {
    ++actor.progress.releases;
    sleep(actor, Duration(0));
}

void DriverStage::start(ClientId client) {
    actors_[client.value].started = true;
    try_acquire(actors_[client.value]);
    settle(actors_[client.value]);
}

/// Begins a new round, or tries again in the present one.
void DriverStage::try_acquire(Actor& actor) {
    if (closing_) {
        actor.worker.finish();
        actor.progress.gone = true;
        return;
    }
    if (actor.phase() == Phase::idle) {
        ++actor.progress.wants;
        actor.progress.wanting = true;
        actor.progress.refused = false;
    }
    ask(actor, actor.worker.next());
}

void DriverStage::sleep(Actor& actor, Duration length) {
    Held& timer = add(actor.id(), TaskId{}, actor.phase());
    timer.is_timer = true;
    timer.due = now() + length;
}

/// Its next extension is due after a while; that of an earlier grant is not made any more.
void DriverStage::plan_extension(const Actor& actor) {
    for (const auto& wait : waits_) wait->told |= wait->extends && wait->client == actor.id();
    const std::optional<Duration> after = actor.worker.extends_after();
    if (!after) return;
    Held& timer = add(actor.id(), TaskId{1}, Phase::background);
    timer.is_timer = timer.extends = true;
    timer.due = now() + *after;
}

void DriverStage::extend(Actor& actor) {
    if (actor.phase() != Phase::inside || actor.worker.is_out() || actor.worker.is_asked()) return;
    ask(actor, actor.worker.extend());
    settle(actor, false);
}

/// The client's timer has fired.
void DriverStage::wake(Actor& actor) {
    if (actor.worker.is_asked()) return sleep(actor, Duration(0));
    switch (actor.phase()) {
        case Phase::idle:
        case Phase::acquire: try_acquire(actor); break;
        case Phase::inside:
            if (actor.limited || actor.worker.is_out()) return leave(actor);
            return add_register(actor, Command::of("WRITE", actor.base, actor.worker.grant()));
        case Phase::release:
        case Phase::background: break;
    }
    settle(actor);
}

void DriverStage::leave(Actor& actor) {
    wants_proof_ = true;
    prove();
    if (std::exchange(actor.woke, false)) showed_nothing_.insert(actor.id());
    ask(actor, actor.worker.leave());
    settle(actor);
}

/// Asks for a step: true if that is ok, and reports no loss.
bool DriverStage::show(Actor& actor) {
    const bool can = !actor.is_dead() && !actor.paused && !actor.worker.is_asked() &&
                     actor.phase() == Phase::inside && !actor.worker.is_out();
    if (!can) return false;
    actor.shown = false;
    const pid_t process = actor.driver->process().pid();
    const Instant began = now();
    const std::optional<Duration> waited_before = processor_wait(process);
    ask(actor, actor.worker.step());
    pump_until(kLongestStep, [&] { return !actor.worker.is_asked(); });
    unasked_.step += own_time(now() - began, waited_before, processor_wait(process));
    return actor.shown;
}

/// Of the clients that may be inside together, the one that came first is asked for a step, and
/// then the others.
void DriverStage::prove() {
    if (!wants_proof_) return;
    // A watchdog's answer may tell its client of a loss: it comes first.
    const bool may_be_told = std::ranges::any_of(waits_, [&](const auto& wait) {
        return !wait->task.is_worker() && !wait->told && !wait->is_timer && is_awake(*wait) &&
               (!wait->sent || wait->answered);
    });
    if (may_be_told) return;
    wants_proof_ = false;
    std::vector<Actor*> inside;
    for (Actor& actor : actors_) {
        if (story_->is_inside(actor.id())) inside.push_back(&actor);
    }
    std::ranges::sort(inside, {}, [](const Actor* actor) { return actor->worker.grant(); });
    for (Actor* actor : inside) {
        const bool suspected = std::ranges::any_of(inside, [&](const Actor* other) {
            return other != actor && story_->suspects(actor->id(), other->id());
        });
        if (suspected) show(*actor);
    }
}

void DriverStage::add_register(Actor& actor, Command command) {
    if (actor.worker.fence() != 0) command.add(actor.worker.fence());
    Held& wait = add(actor.id(), TaskId{}, Phase::inside);
    wait.node = kOracle;
    wait.command = std::move(command);
}

/// A job reads or writes only if its step is ok: so it stops when its process does.
void DriverStage::ask_register(Held& wait) {
    Actor& actor = actors_[wait.client.value];
    wait.sent = true;
    wait.reply = Reply::nil();
    wait.fault = faults_.on_send(wait);
    if (!show(actor)) {
        wait.answered = true;
    } else if (wait.fault == CommandFault::delay) {
        note_fault(wait, wait.fault);
        wait.in_network = true;
    } else {
        land(wait);
    }
}

void DriverStage::land(Held& wait) {
    Outbox out;
    const Request request{{wait.client, Channel::worker, kOracle}, &wait.command};
    register_.on(request, WallTime{}, out);
    wait.reply = out.take_reply();
    Actor& actor = actors_[wait.client.value];
    if (out.note()) {
        if (std::holds_alternative<event::Wrote>(*out.note())) ++actor.progress.writes;
        story_->note(wait.client, Phase::inside, std::move(*out.note()));
    }
    wait.answered = !actor.is_dead();
    if (actor.is_dead()) wait.told = true;
}

void DriverStage::told_by_register(Held& wait) {
    Actor& actor = actors_[wait.client.value];
    wait.told = true;
    if (wait.command[0] == "ANSWER") return take_result(actor, wait.answer);
    if (wait.command[0] == "WRITE" || wait.reply.is_nil()) return leave(actor);
    actor.base = wait.reply.as_integer();
    const Workload& work = workload(actor);
    const Duration length = std::exchange(actor.job, {}).value_or(work.job.least);
    actor.limited = work.job_limit != Duration::zero() && length > work.job_limit;
    sleep(actor, actor.limited ? work.job_limit : length);
}

}  // namespace locklab
