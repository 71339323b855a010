#include "harness/foreign/foreign_client.h"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/core/duration_text.h"
#include "harness/live/processor_wait.h"

namespace locklab {

namespace {

using std::chrono::microseconds;

/// Choices of delay between sending a request to the driver and a fault.
constexpr std::array<Duration, 5> kStrikeAfter{
    microseconds(0), microseconds(300), microseconds(700), microseconds(1500), microseconds(4000)};
/// Job steps per TTL: 20, or 100 while another client may be inside.
constexpr int kStepsInATtl = 20;
constexpr int kStepsInCompany = 100;
/// In hundredths of a TTL: longest time inside while another client has not proved that it is
/// inside, and length of a job that has to last until another client comes. The rest is for a slow
/// machine.
constexpr int kLongestStay = 60;
/// The same for how much longer it stays than its job, where that is long.
constexpr int kLongestShow = 20;

}  // namespace

ForeignClient::ForeignClient(ClientId id, Driver& driver, Surroundings& run)
    : id_(id),
      driver_(driver),
      run_(run),
      worker_(id,
              {.lease = run.subject.own_lease(run.spec.scale),
               .fences = run.subject.row().fences,
               .wait = run.subject.waits() ? run.spec.scale : Duration(0),
               .extended = run.subject.extended_by_hand() ? run.spec.scale : Duration(0)},
              run.story) {
    due_ = Clock::now() + draw({Duration(0), run_.spec.workload.think.most / 4}, run_.choices);
}

std::optional<ForeignClient::Clock::time_point> ForeignClient::due() const {
    if (is_dead()) return std::nullopt;
    if (stopped_until_) return stopped_until_;
    if (strike_ && (!due_ || strike_->at < *due_)) return strike_->at;
    return due_;
}

void ForeignClient::go_on(Clock::time_point now) {
    if (is_dead()) return;
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
    switch (phase()) {
        case Phase::idle:
        case Phase::acquire: return try_acquire();
        case Phase::inside:
            return ask(extends_at_ && *extends_at_ <= now ? worker_.extend() : worker_.next());
        case Phase::release:
        case Phase::background: break;
    }
}

void ForeignClient::resume() {
    stopped_until_.reset();
    run_.stillness.resumed(id_, Clock::now(), process().spoke_while_stopped());
    process().go_on();
    // Work that came due during the stop is due now, and does not count as late.
    last_resumed_ = Clock::now();
    if (due_) due_ = std::max(*due_, last_resumed_);
    if (strike_) strike_->at = std::max(strike_->at, last_resumed_);
}

void ForeignClient::ask(const DriverWorker::Request& request) {
    // Not for each of many steps: what is counted from an earlier time on accuses nobody falsely.
    if (request.op != DriverOp::step) waited_before_ = processor_wait(process().pid());
    worker_.asked(driver_.ask(request.op, request.more));
    asked_at_ = Clock::now();
}

/// Plans the fault of this moment: at once if the client is inside, else a little later, when its
/// request is under way.
void ForeignClient::observe() {
    if (strike_) return;
    const PlannedFault* fault = run_.schedule.on_observation(id_, worker_.round(), phase());
    if (fault == nullptr) return;
    Duration later{0};
    if (phase() != Phase::inside) {
        later = kStrikeAfter[run_.choices.pick(ChoiceKind::fault, kStrikeAfter.size())];
    }
    strike_ = Strike{Clock::now() + later, *fault};
}

/// Begins a new round, or tries again in the present one.
void ForeignClient::try_acquire() {
    if (run_.enough(id_)) {
        worker_.finish();
        return turn(Phase::idle);
    }
    const bool begins = phase() == Phase::idle;
    const DriverWorker::Request request = worker_.next();
    if (begins) run_.passed_over.see(id_, event::Wants{});
    turn(Phase::acquire);
    ask(request);
    observe();
}

void ForeignClient::leave() {
    const DriverWorker::Request request = worker_.leave();
    turn(Phase::release);
    due_.reset();
    ask(request);
    observe();
}

void ForeignClient::show_yourself() {
    const bool can =
        phase() == Phase::inside && !worker_.is_asked() && !is_dead() && !stopped_until_;
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
    process().kill();
    run_.stillness.killed(id_, Clock::now());
    worker_.crash();
}

bool ForeignClient::cancel() {
    const std::optional<std::uint64_t> its_try = worker_.try_under_way();
    if (its_try) driver_.cancel(*its_try);
    return its_try.has_value();
}

void ForeignClient::hear() {
    while (!is_dead()) {
        const DriverWord word = driver_.hear(Duration(0));
        if (std::holds_alternative<DriverSilence>(word)) return;
        const auto* failure = std::get_if<DriverFailure>(&word);
        if (failure != nullptr && failure->has_ended) {
            how_it_died_ = failure->sentence;
            worker_.gone();
            return run_.died(*this);
        }
        const std::optional<DriverOp> op = worker_.asked_for();
        switch (worker_.hear(word)) {
            case DriverWorker::Heard::nothing:
            case DriverWorker::Heard::complaint: break;
            case DriverWorker::Heard::lost:
                if (!worker_.is_asked()) leave();
                break;
            case DriverWorker::Heard::answer:
                measure(*op);
                take(std::get<DriverAnswer>(word));
                break;
        }
    }
}

/// Without a fault, a slow answer shows a slow machine or driver. A library with time-outs of its
/// own may take longer, but not for a step.
void ForeignClient::measure(DriverOp op) {
    const bool takes_its_time = run_.subject.has_own_timeouts() && op != DriverOp::step;
    if (takes_its_time || last_resumed_ >= asked_at_ || run_.links.strikes(id_)) return;
    if (run_.has_hung_since(asked_at_)) return;
    AnswerTime time{std::chrono::duration_cast<Duration>(Clock::now() - asked_at_)};
    if (time.took > run_.slowness.most()) {
        const auto before = std::exchange(waited_before_, processor_wait(process().pid()));
        time.own = own_time(time.took, before, waited_before_);
    }
    run_.slowness.answered(op, time);
}

void ForeignClient::take(const DriverAnswer& answer) {
    switch (worker_.take(answer)) {
        case DriverWorker::Outcome::granted: return take_granted();
        case DriverWorker::Outcome::refused: return take_refused();
        case DriverWorker::Outcome::inside: return take_inside();
        case DriverWorker::Outcome::extended: return take_extended();
        case DriverWorker::Outcome::outside: return leave();
        case DriverWorker::Outcome::released: return take_released();
        case DriverWorker::Outcome::releases: return ask(worker_.next());
        case DriverWorker::Outcome::nobodys_news: break;
    }
}

std::string ForeignClient::unanswered() const {
    const std::optional<DriverOp> op = worker_.asked_for();
    if (is_dead() || stopped_until_ || !op) return {};
    const auto waited =
        std::chrono::duration_cast<Duration>(Clock::now() - std::max(asked_at_, last_resumed_));
    if (waited <= run_.spec.scale * 2) return {};
    return "client " + std::to_string(id_.value) + " has not answered '" +
           std::string(kDriverOps[static_cast<std::size_t>(*op)]) + "' for " + to_string(waited);
}

std::string ForeignClient::hung() const {
    const std::optional<DriverOp> op = worker_.asked_for();
    const bool is_struck = run_.spec.budget.has([](const HazardRow&) { return true; });
    const bool may_wait = op == DriverOp::acquire || (is_struck && op != DriverOp::step);
    return may_wait ? std::string() : unanswered();
}

void ForeignClient::take_refused() {
    turn(Phase::idle);
    const Duration wait = run_.spec.workload.wait.delay;
    due_ = Clock::now() + draw({wait / 2, wait * 3 / 2}, run_.choices);
}

void ForeignClient::take_granted() {
    turn(Phase::inside);
    granted_at_ = Clock::now();
    job_ = draw(run_.spec.workload.job, run_.choices);
    if (const auto slow = run_.schedule.slow_job(id_, worker_.round())) {
        job_ = *slow;
        run_.story.note(id_, phase(), event::Fault{Hazard::slow_job, *slow});
    }
    plan_extension();
    due_ = granted_at_;
    run_.passed_over.see(id_, event::Granted{});
    run_.granted(*this);
    observe();
}

Duration ForeignClient::step_gap() const {
    const int steps = run_.is_in_company(*this) ? kStepsInCompany : kStepsInATtl;
    return std::max<Duration>(run_.spec.scale / steps, std::chrono::milliseconds(1));
}

void ForeignClient::take_inside() {
    observe();
    const Clock::time_point now = Clock::now();
    const bool done = now >= granted_at_ + job_;
    const bool too_long = now >= granted_at_ + run_.spec.scale * kLongestStay / 100 &&
                          now >= granted_at_ + job_ + run_.spec.scale * kLongestShow / 100;
    if (done && (too_long || !run_.is_in_company(*this))) return leave();
    due_ = now + step_gap();
    if (!done) due_ = std::min<Clock::time_point>(*due_, granted_at_ + job_);
    if (extends_at_) due_ = std::min(*due_, *extends_at_);
}

void ForeignClient::take_extended() {
    plan_extension();
    take_inside();
}

void ForeignClient::plan_extension() {
    extends_at_.reset();
    if (const auto after = worker_.extends_after()) extends_at_ = Clock::now() + *after;
}

void ForeignClient::take_released() {
    turn(Phase::idle);
    due_ = Clock::now() + draw(run_.spec.workload.think, run_.choices);
}

}  // namespace locklab
