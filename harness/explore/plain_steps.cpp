// What the steps of a plain run do.

#include <algorithm>

#include "harness/explore/plain_run.h"
#include "harness/explore/step_text.h"

namespace locklab {

namespace {

std::int64_t ms(Duration duration) { return duration / std::chrono::milliseconds(1); }

}  // namespace

bool PlainRun::make(const Step& step) {
    Client& client = clients_[step.client];
    cover(step);
    if (const auto hazard = hazard_of(step)) --left(*hazard);
    switch (step.kind) {
        using enum Step::Kind;
        case send:
        case lose_request:
        case lose_reply:
        case delay:
        case delay_reply:
        case retry: send_command(step); break;
        case take:
        case wake:
        case expire: return observe(step);
        case arrive: arrive_late(step); break;
        case pass:
            now_ += step.ms;
            cover_passing();
            break;
        case crash:
            client.gone = true;
            if (oracle_ == step.client) oracle_ = -1;
            break;
        case leave:
            client.gone = true;
            --leaves_;
            break;
        case pause: client.paused_until = now_ + ms(bounds_.pause); break;
        case stall: client.stalled_until = now_ + ms(bounds_.pause); break;
        case resume: (step.slot == 0 ? client.paused_until : client.stalled_until) = now_; break;
        case clock_ahead: client.clock += ms(bounds_.clock); break;
        case clock_back: client.clock -= ms(bounds_.clock); break;
        case server_ahead: server_offset_ += ms(bounds_.clock); break;
        case server_back: server_offset_ -= ms(bounds_.clock); break;
        case restart: restart_server(RedisModel()); break;
        case save: saved_ = server_; break;
        case restore:
            restart_server(saved_.value_or(RedisModel()));
            saved_.reset();
            break;
        case evict: server_.evict("lock"); break;
    }
    server_.expire(server_clock());
    return true;
}

Phase PlainRun::phase_of(const Client& client, std::uint8_t slot) const {
    if (client.gone || !client.begun) return Phase::idle;
    return client.actor->phase_of(TaskId{slot});
}

/// What the step is about to exercise; of a job that turns out to be none, nothing is kept.
void PlainRun::cover(const Step& step) {
    const KeyEntry* lock = lock_key();
    coverage_.sets_ttl = coverage_.sets_ttl || (lock != nullptr && lock->has_deadline());
    const Client& client = clients_[step.client];
    const bool sends = step.kind == Step::Kind::send || is_command_fault(step.kind);
    if (sends && shown_at(step).node != kOracle) {
        const Actor::Shown shown = shown_at(step);
        coverage_.sent.insert({shape_of(shown.command), phase_of(client, step.slot)});
    }
    const std::optional<Hazard> hazard = hazard_of(step);
    if (!hazard) return;
    if (step.slow) {
        coverage_.strike(*hazard, Phase::inside);
    } else if (is_of_client(step.kind)) {
        const bool stall = step.kind == Step::Kind::stall;
        coverage_.strike(*hazard, phase_of(client, stall ? 1 : step.slot));
    } else {
        for (const Client& each : clients_) coverage_.strike(*hazard, phase_of(each, 0));
    }
}

void PlainRun::cover_passing() {
    const KeyEntry* lock = lock_key();
    const std::int64_t now = server_clock().time_since_epoch() / std::chrono::milliseconds(1);
    if (lock == nullptr || !lock->has_deadline() || lock->deadline_ms >= now) return;
    coverage_.ran_out = true;
    for (const Client& client : clients_) {
        const bool inside = !client.gone && client.begun && client.actor->inside();
        coverage_.ran_out_inside = coverage_.ran_out_inside || inside;
    }
}

void PlainRun::send_command(const Step& step) {
    Client& client = clients_[step.client];
    const Actor::Shown shown = shown_at(step);
    Call& call = call_of(client, shown.ticket);
    call.sent = true;
    call.due = now_ + ms(bounds_.timeout());
    call.again = step.kind == Step::Kind::retry;
    if (shown.node == kOracle) {
        answer(call, ask_oracle(step.client, shown.command));
    } else if (step.kind == Step::Kind::delay) {
        late_.push_back(
            {step.client, step.slot, shown.ticket, shown.command, now_ + ms(bounds_.delay), false});
    } else if (step.kind != Step::Kind::lose_request) {
        Reply reply = server_.execute(shown.command, server_clock(), scripts_);
        server_.script_cache().clear();
        const bool late = step.kind == Step::Kind::delay_reply;
        if (step.kind == Step::Kind::send || late) answer(call, std::move(reply));
        if (late) call.due = now_ + ms(bounds_.reply_delay());
    }
}

void PlainRun::answer(Call& call, Reply reply) {
    call.reply = std::make_unique<Reply>(std::move(reply));
    call.due = now_;
}

bool PlainRun::observe(const Step& step) {
    Client& client = clients_[step.client];
    const auto now = static_cast<std::int32_t>(now_);
    const auto clock = static_cast<std::int32_t>(now_ + client.clock);
    client.actor->expect(ClientModel::clock_at(clock), ClientModel::monotonic_at(now), step.slow);
    if (!client.begun) {
        client.begun = true;
        client.actor->start();
    } else {
        const Actor::Shown shown = shown_at(step);
        Call& call = call_of(client, shown.ticket);
        if (step.kind == Step::Kind::expire && call.again) {
            call.sent = call.again = false;
            return true;
        }
        const Reply reply = step.kind == Step::Kind::wake     ? Reply()
                            : step.kind == Step::Kind::expire ? Reply::unknown()
                                                              : *call.reply;
        client.actor->observe(shown.task, shown.ticket, reply);
    }
    look_anew(step.client);
    return !step.slow || client.actor->asked_slow();
}

bool PlainRun::is_stuck() {
    if (leaves_ != bounds_.leaves) return false;
    const Bounds patient = newcomer_bounds(bounds_);
    const auto number = static_cast<std::uint32_t>(clients_.size());
    Actor newcomer(algorithm_, patient, {ClientId{number}, Bounds::kMostClients, &names_});
    const std::int64_t horizon = now_ + ms(newcomer_patience(bounds_));
    const auto look = [&] {
        const auto now = static_cast<std::int32_t>(now_);
        newcomer.expect(ClientModel::clock_at(now), ClientModel::monotonic_at(now), false);
    };
    look();
    newcomer.start();
    while (newcomer.grants() == 0 && now_ <= horizon) {
        const Actor::Shown shown = newcomer.only_wait();
        Reply reply;
        if (shown.is_timer) {
            now_ += ms(shown.sleep);
            server_.expire(server_clock());
        } else if (shown.node == kOracle) {
            reply = Reply::integer(oracle_ < 0 ? 1 : 0);
        } else {
            reply = server_.execute(shown.command, server_clock(), scripts_);
            server_.script_cache().clear();
        }
        look();
        newcomer.observe(shown.task, shown.ticket, std::move(reply));
    }
    return newcomer.grants() == 0;
}

/// Forgets what is waited for no more, and takes down what is new. A request has left as soon as
/// its task waits, also where the task is cancelled then.
void PlainRun::look_anew(std::uint8_t number) {
    Client& client = clients_[number];
    const std::vector<Actor::Shown> waits = client.actor->waits();
    std::erase_if(client.calls, [&](const Call& call) {
        const bool waited_for = std::any_of(waits.begin(), waits.end(), [&](const auto& shown) {
            return shown.ticket == call.ticket;
        });
        if (!waited_for && call.command && !call.sent) {
            coverage_.sent.insert({shape_of(*call.command), Phase::background});
            late_.push_back({number, call.slot, call.ticket, *call.command, now_, true});
        }
        return !waited_for;
    });
    for (const Actor::Shown& shown : waits) {
        const bool known =
            std::any_of(client.calls.begin(), client.calls.end(),
                        [&](const Call& call) { return call.ticket == shown.ticket; });
        if (known) continue;
        Call call;
        call.ticket = shown.ticket;
        call.is_timer = shown.is_timer;
        call.slot = static_cast<std::uint8_t>(shown.task.value);
        if (!shown.is_timer && shown.node != kOracle) {
            call.command = std::make_unique<Command>(shown.command);
        }
        if (shown.is_timer) call.due = now_ + ms(shown.sleep);
        client.calls.push_back(std::move(call));
    }
    client.gone = client.actor->done();
}

void PlainRun::arrive_late(const Step& step) {
    const auto late = first_late(step.client, step.slot);
    Reply reply = server_.execute(late->command, server_clock(), scripts_);
    server_.script_cache().clear();
    Client& client = clients_[step.client];
    for (Call& call : client.calls) {
        const bool waits = !client.gone && call.ticket == late->ticket && call.sent && !call.again;
        if (waits && !call.reply) answer(call, std::move(reply));
    }
    late_.erase(late);
}

/// Nothing is left of requests on their way, or of replies.
void PlainRun::restart_server(RedisModel data) {
    server_ = std::move(data);
    late_.clear();
    for (Client& client : clients_) {
        if (client.gone || !client.begun) continue;
        for (const Actor::Shown& shown : client.actor->waits()) {
            Call& call = call_of(client, shown.ticket);
            if (shown.is_timer || shown.node == kOracle || !call.sent) continue;
            answer(call, Reply::unknown());
        }
    }
}

Reply PlainRun::ask_oracle(std::uint8_t client, const Command& command) {
    const bool takes = command[0] == "TAKE";
    const bool done = takes ? oracle_ < 0 : oracle_ == client;
    if (done) oracle_ = takes ? client : -1;
    return Reply::integer(done ? 1 : 0);
}

}  // namespace locklab
