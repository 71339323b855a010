// What a client does, as core/worker.cpp has it, with a driver in the place of a lock.

#include <algorithm>

#include "harness/foreign/driver_stage.h"

namespace locklab {

namespace {

/// A step takes no time; so long it is awaited.
constexpr Duration kLongestStep = std::chrono::seconds(2);

}  // namespace

void DriverStage::ask(Actor& actor, DriverOp op, const nlohmann::ordered_json& more) {
    if (op != DriverOp::step) actor.has_sent = false;
    actor.asked = Asked{actor.driver->ask(op, more), op, Clock::now()};
}

bool DriverStage::hear_all() {
    bool heard = false;
    for (Actor& actor : actors_) {
        while (!actor.dead && !actor.paused && hear(actor)) heard = true;
    }
    return heard;
}

bool DriverStage::hear(Actor& actor) {
    const DriverWord word = actor.driver->hear(Duration(0));
    if (std::holds_alternative<DriverSilence>(word)) return false;
    if (const auto* failure = std::get_if<DriverFailure>(&word)) {
        throw DriverTrouble(failure->sentence);
    }
    if (const auto* event = std::get_if<DriverEvent>(&word)) {
        if (event->kind == DriverEvent::Kind::lost) {
            told_lost(actor);
        } else if (first_error_.empty()) {
            first_error_ = event->what;
        }
        return true;
    }
    const DriverAnswer& answer = std::get<DriverAnswer>(word);
    if (actor.asked && answer.id == actor.asked->id) {
        actor.asked.reset();
        take(actor, answer);
    }
    return true;
}

void DriverStage::told_lost(Actor& actor) {
    if (actor.phase != Phase::inside || actor.lost) return;
    actor.lost = true;
    if (is_in_company(actor)) told_of_loss_.insert(actor.id);
    story_->told_lost(actor.id);
}

bool DriverStage::is_in_company(const Actor& actor) const {
    return std::ranges::any_of(actors_, [&](const Actor& other) {
        return other.id != actor.id && !other.dead && other.phase == Phase::inside;
    });
}

void DriverStage::take(Actor& actor, const DriverAnswer& answer) {
    if (first_error_.empty()) first_error_ = answer.error;
    switch (answer.op) {
        case DriverOp::acquire:
        case DriverOp::release: {
            if (actor.has_sent) return take_result(actor, answer);
            // It asked no server, so that nothing of it had a cue: its answer has one.
            Held& wait = add(actor.id, TaskId{}, actor.phase);
            wait.node = kOracle;
            wait.command = Command::of("ANSWER");
            wait.answer = answer;
            wait.sent = wait.answered = true;
            return;
        }
        case DriverOp::step:
            actor.shown = answer.yes == true && !answer.lost && !actor.lost;
            if (!actor.shown) return told_lost(actor);
            actor.woke = false;
            return story_->inside(actor.id);
        default: return;
    }
}

void DriverStage::take_result(Actor& actor, const DriverAnswer& answer) {
    if (answer.op == DriverOp::acquire && answer.yes == true) leave_to_watchdog(actor);
    give_up_on(actor);
    answer.op == DriverOp::acquire ? take_acquired(actor, answer) : take_released(actor, answer);
}

/// A grant rests on no command that has had no cue: what is held is a watchdog's.
void DriverStage::leave_to_watchdog(Actor& actor) {
    for (const auto& wait : waits_) {
        const bool is_its = wait->client == actor.id && wait->task.is_worker() && !wait->sent &&
                            !wait->told && !wait->is_timer && wait->node != kOracle;
        if (!is_its) continue;
        wait->task = TaskId{1};
        wait->phase = Phase::background;
        teller_->give_to_watchdog(wait->name);
    }
}

void DriverStage::take_acquired(Actor& actor, const DriverAnswer& answer) {
    if (answer.yes != true) {
        actor.unsure = !answer.error.empty() && !answer.definite;
        if (!workload(actor).always_releases) return refused(actor);
        actor.in_vain = true;
        actor.phase = Phase::release;
        return ask(actor, DriverOp::release);
    }
    actor.phase = Phase::inside;
    actor.lost = false;
    actor.fence = answer.fence.value_or(0);
    ++actor.progress.grants;
    actor.progress.wanting = actor.progress.refused = false;
    const ClientOptions* own = options_of(config_.unequal, actor.id);
    const Duration ttl = own != nullptr && own->ttl ? *own->ttl : config_.options.ttl;
    story_->granted(actor.id, answer.token, parts_.subject.own_lease(ttl));
    actor.grant = story_->grants();
    last_grant_ = now();
    wants_proof_ = true;
    add_register(actor, Command::of("READ"));
}

void DriverStage::refused(Actor& actor) {
    actor.phase = Phase::acquire;
    ++actor.progress.refusals;
    actor.progress.refused = !actor.unsure;
    story_->note(actor.id, actor.phase, event::Refused{actor.unsure});
    sleep(actor, workload(actor).wait.delay);
}

void DriverStage::take_released(Actor& actor, const DriverAnswer& answer) {
    if (std::exchange(actor.in_vain, false)) return refused(actor);
    Release outcome = Release::unknown;
    if (answer.yes) outcome = *answer.yes ? Release::yes : Release::not_ours;
    story_->released(actor.id, outcome, answer.yes.has_value() || !answer.error.empty());
    ++actor.progress.releases;
    actor.phase = Phase::idle;
    sleep(actor, Duration(0));
}

void DriverStage::start(ClientId client) {
    actors_[client.value].started = true;
    begin_round(actors_[client.value]);
    settle(actors_[client.value]);
}

void DriverStage::begin_round(Actor& actor) {
    if (closing_) {
        story_->note(actor.id, actor.phase, event::Finished{});
        actor.progress.gone = true;
        return;
    }
    actor.phase = Phase::acquire;
    ++actor.progress.wants;
    actor.progress.wanting = true;
    actor.progress.refused = false;
    story_->note(actor.id, actor.phase, event::Wants{});
    begin_try(actor);
}

void DriverStage::begin_try(Actor& actor) {
    nlohmann::ordered_json more;
    more["wait_ms"] = 0;
    ask(actor, DriverOp::acquire, more);
}

void DriverStage::sleep(Actor& actor, Duration length) {
    Held& timer = add(actor.id, TaskId{}, actor.phase);
    timer.is_timer = true;
    timer.due = now() + length;
}

/// Its timer has fired.
void DriverStage::wake(Actor& actor) {
    switch (actor.phase) {
        case Phase::idle: begin_round(actor); break;
        case Phase::acquire: closing_ ? begin_round(actor) : begin_try(actor); break;
        case Phase::inside:
            if (actor.limited || actor.lost) return leave(actor);
            return add_register(actor, Command::of("WRITE", actor.base, actor.grant));
        case Phase::release:
        case Phase::background: break;
    }
    settle(actor);
}

void DriverStage::leave(Actor& actor) {
    wants_proof_ = true;
    prove();
    if (std::exchange(actor.woke, false)) showed_nothing_.insert(actor.id);
    actor.phase = Phase::release;
    story_->release_asked(actor.id);
    ask(actor, DriverOp::release);
    settle(actor);
}

/// Whether its step is ok, and it was not told of a loss.
bool DriverStage::show(Actor& actor) {
    if (actor.dead || actor.paused || actor.asked || actor.phase != Phase::inside || actor.lost) {
        return false;
    }
    actor.shown = false;
    story_->step_asked(actor.id);
    ask(actor, DriverOp::step);
    pump_until(kLongestStep, [&] { return !actor.asked; });
    return actor.shown;
}

/// Of those who may be inside together, the one who came first shows itself, and then the others.
void DriverStage::prove() {
    if (!wants_proof_) return;
    // What a watchdog asks may tell its client of a loss: first it is answered.
    const bool may_be_told = std::ranges::any_of(waits_, [&](const auto& wait) {
        return !wait->task.is_worker() && !wait->told && !wait->is_timer && is_awake(*wait) &&
               (!wait->sent || wait->answered);
    });
    if (may_be_told) return;
    wants_proof_ = false;
    std::vector<Actor*> inside;
    for (Actor& actor : actors_) {
        if (story_->is_inside(actor.id)) inside.push_back(&actor);
    }
    std::ranges::sort(inside, {}, &Actor::grant);
    for (Actor* actor : inside) {
        const bool suspected = std::ranges::any_of(inside, [&](const Actor* other) {
            return other != actor && story_->suspects(actor->id, other->id);
        });
        if (suspected) show(*actor);
    }
}

void DriverStage::add_register(Actor& actor, Command command) {
    if (actor.fence != 0) command.add(actor.fence);
    Held& wait = add(actor.id, TaskId{}, Phase::inside);
    wait.node = kOracle;
    wait.command = std::move(command);
}

/// A job does what it does where its step is ok: so it stops as its process does.
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
    wait.answered = !actor.dead;
    if (actor.dead) wait.told = true;
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
