#include "harness/foreign/foreign_client.h"

#include <algorithm>
#include <array>

#include "harness/core/duration_text.h"
#include "harness/foreign/team.h"

namespace locklab {

namespace {

using std::chrono::microseconds;

/// After a command has left for its library, a fault strikes so much later.
constexpr std::array<Duration, 5> kStrikeAfter{
    microseconds(0), microseconds(300), microseconds(700), microseconds(1500), microseconds(4000)};
/// Parts of a TTL: a step comes so often, and much more often where two are inside.
constexpr int kStepsInATtl = 20;
constexpr int kStepsInCompany = 100;
/// In hundredths of a TTL: who is not alone stays until the other has shown itself, up to this
/// time; and so long is a job that is to be there when another comes. The rest is for a machine
/// that is late.
constexpr int kLongestStay = 60;

}  // namespace

ForeignClient::ForeignClient(ClientId id, Driver& driver, Surroundings& run)
    : id_(id), driver_(driver), run_(run) {
    due_ = Clock::now() + draw({Duration(0), run_.spec.workload.think.most / 4}, run_.choices);
}

std::optional<ForeignClient::Clock::time_point> ForeignClient::due() const {
    if (dead_) return std::nullopt;
    if (stopped_until_) return stopped_until_;
    if (strike_ && (!due_ || strike_->at < *due_)) return strike_->at;
    return due_;
}

void ForeignClient::go_on(Clock::time_point now) {
    if (dead_) return;
    if (stopped_until_) {
        if (now >= *stopped_until_) resume();
        return;
    }
    if (strike_ && strike_->at <= now) {
        const PlannedFault fault = strike_->fault;
        strike_.reset();
        run_.strike(fault, *this);
        return;
    }
    if (!due_ || *due_ > now) return;
    due_.reset();
    switch (phase_) {
        case Phase::idle: return begin_round(now);
        case Phase::acquire: return try_acquire();
        case Phase::inside: run_.story.step_asked(id_); return ask(DriverOp::step);
        case Phase::release:
        case Phase::background: break;
    }
}

void ForeignClient::resume() {
    stopped_until_.reset();
    run_.stillness.resumed(id_, Clock::now(), process().spoke_while_stopped());
    process().go_on();
    // What was due meanwhile is due now, and nobody is late.
    last_resumed_ = Clock::now();
    if (due_) due_ = std::max(*due_, last_resumed_);
    if (strike_) strike_->at = std::max(strike_->at, last_resumed_);
}

void ForeignClient::ask(DriverOp op, const nlohmann::ordered_json& more) {
    asked_ = Asked{driver_.ask(op, more), op, Clock::now()};
}

void ForeignClient::enter(Phase phase) {
    phase_ = phase;
    run_.story.entered(id_, phase);
    run_.links.turn(id_, round_, phase);
}

/// What was planned for this moment strikes: at once where it is inside, else a little later, when
/// what was asked is under way.
void ForeignClient::observe() {
    if (strike_) return;
    const PlannedFault* fault = run_.schedule.on_observation(id_, round_, phase_);
    if (fault == nullptr) return;
    Duration later{0};
    if (phase_ != Phase::inside) {
        later = kStrikeAfter[run_.choices.pick(ChoiceKind::fault, kStrikeAfter.size())];
    }
    strike_ = Strike{Clock::now() + later, *fault};
}

void ForeignClient::begin_round(Clock::time_point) {
    if (run_.enough(id_)) {
        run_.story.note(id_, phase_, event::Finished{});
        finished_ = true;
        return;
    }
    ++round_;
    tries_ = 0;
    run_.story.note(id_, Phase::acquire, event::Wants{});
    run_.passed_over.see(id_, event::Wants{});
    try_acquire();
}

void ForeignClient::try_acquire() {
    if (run_.enough(id_)) {
        enter(Phase::idle);
        return begin_round(Clock::now());
    }
    enter(Phase::acquire);
    const Duration wait = run_.subject.waits() ? run_.spec.scale : Duration(0);
    ask(DriverOp::acquire, {{"wait_ms", wait / std::chrono::milliseconds(1)}});
    observe();
}

void ForeignClient::leave() {
    leaves_ = false;
    run_.story.release_asked(id_);
    enter(Phase::release);
    due_.reset();
    ask(DriverOp::release);
    observe();
}

void ForeignClient::show_yourself() {
    const bool can = phase_ == Phase::inside && !asked_ && !dead_ && !stopped_until_;
    if (can) due_ = Clock::now();
}

void ForeignClient::linger() { job_ = std::max(job_, run_.spec.scale * kLongestStay / 100); }

bool ForeignClient::stop(Duration length) {
    if (!process().stop()) return false;
    run_.stillness.paused(id_, Clock::now());
    stopped_until_ = Clock::now() + length;
    return true;
}

void ForeignClient::kill() {
    dead_ = true;
    process().kill();
    run_.stillness.killed(id_, Clock::now());
    asked_.reset();
    run_.story.crashed(id_);
}

void ForeignClient::hear() {
    while (!dead_) {
        const DriverWord word = driver_.hear(Duration(0));
        if (std::holds_alternative<DriverSilence>(word)) return;
        if (const auto* failure = std::get_if<DriverFailure>(&word)) {
            throw DriverTrouble(failure->sentence);
        }
        if (const auto* event = std::get_if<DriverEvent>(&word)) {
            if (event->kind == DriverEvent::Kind::lost) {
                if (phase_ == Phase::inside) leaves_ = true;
                run_.story.told_lost(id_);
                if (leaves_ && !asked_) leave();
                continue;
            }
            ++complaints_;
            if (first_error_.empty()) first_error_ = event->what;
            continue;
        }
        take(std::get<DriverAnswer>(word));
    }
}

/// Where nothing was done to it, an answer that takes long is the machine's doing. A library that
/// tries again by itself may take its time, but not for a step.
void ForeignClient::measure() {
    const bool takes_its_time = run_.subject.has_own_timeouts() && asked_->op != DriverOp::step;
    if (takes_its_time || last_resumed_ >= asked_->at || run_.links.strikes(id_)) return;
    const auto took = std::chrono::duration_cast<Duration>(Clock::now() - asked_->at);
    longest_answer_ = std::max(longest_answer_, took);
}

void ForeignClient::take(const DriverAnswer& answer) {
    if (!asked_ || answer.id != asked_->id) return;
    measure();
    asked_.reset();
    switch (answer.op) {
        case DriverOp::acquire: return take_acquired(answer);
        case DriverOp::step: return take_step(answer);
        case DriverOp::release: return take_released(answer);
        default: break;
    }
}

std::string ForeignClient::unanswered() const {
    if (dead_ || stopped_until_ || !asked_) return {};
    const auto waited =
        std::chrono::duration_cast<Duration>(Clock::now() - std::max(asked_->at, last_resumed_));
    if (waited <= run_.spec.scale * 2) return {};
    return "client " + std::to_string(id_.value) + " has not answered '" +
           std::string(kDriverOps[static_cast<std::size_t>(asked_->op)]) + "' for " +
           to_string(waited);
}

void ForeignClient::note_trouble(const DriverAnswer& answer) {
    if (first_error_.empty()) first_error_ = answer.error;
}

void ForeignClient::take_acquired(const DriverAnswer& answer) {
    if (answer.yes != true) {
        note_trouble(answer);
        if (answer.definite) {
            run_.story.note(id_, phase_, event::Failed{answer.error});
        } else {
            run_.story.note(id_, phase_, event::Refused{!answer.error.empty()});
        }
        enter(Phase::idle);
        phase_ = Phase::acquire;
        due_ = Clock::now() +
               draw({run_.spec.workload.wait.delay / 2, run_.spec.workload.wait.delay * 3 / 2},
                    run_.choices);
        ++tries_;
        return;
    }
    enter(Phase::inside);
    granted_at_ = Clock::now();
    job_ = draw(run_.spec.workload.job, run_.choices);
    const bool fences = run_.subject.row().fences;
    const Duration lease = run_.subject.own_lease(run_.spec.scale);
    run_.story.granted(id_, answer.token, lease, fences ? answer.fence.value_or(0) : 0);
    if (const auto slow = run_.schedule.slow_job(id_, round_)) {
        job_ = *slow;
        run_.story.note(id_, phase_, event::Fault{Hazard::slow_job, *slow});
    }
    due_ = granted_at_;
    run_.passed_over.see(id_, event::Granted{});
    run_.granted(*this);
    observe();
}

Duration ForeignClient::step_gap() const {
    const int steps = run_.is_in_company(*this) ? kStepsInCompany : kStepsInATtl;
    return std::max<Duration>(run_.spec.scale / steps, std::chrono::milliseconds(1));
}

void ForeignClient::take_step(const DriverAnswer& answer) {
    const bool is_inside = answer.yes == true && !answer.lost && !leaves_;
    if (is_inside) run_.story.inside(id_);
    if (!is_inside) {
        note_trouble(answer);
        run_.story.told_lost(id_);
        return leave();
    }
    observe();
    const Clock::time_point now = Clock::now();
    const bool done = now >= granted_at_ + job_;
    const bool too_long = now >= granted_at_ + run_.spec.scale * kLongestStay / 100;
    if (done && (too_long || !run_.is_in_company(*this))) return leave();
    due_ = now + step_gap();
    if (!done) due_ = std::min<Clock::time_point>(*due_, granted_at_ + job_);
}

void ForeignClient::take_released(const DriverAnswer& answer) {
    note_trouble(answer);
    Release outcome = Release::unknown;
    if (answer.yes) outcome = *answer.yes ? Release::yes : Release::not_ours;
    const bool told = answer.yes.has_value() || !answer.error.empty();
    run_.story.released(id_, outcome, told);
    enter(Phase::idle);
    due_ = Clock::now() + draw(run_.spec.workload.think, run_.choices);
}

}  // namespace locklab
