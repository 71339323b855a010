#include "harness/explore/actor.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace locklab {

namespace {

bool is_register(const Command& command) { return command[0] == "READ" || command[0] == "WRITE"; }

}  // namespace

Actor::Actor(const Algorithm& algorithm, const Bounds& bounds, const Identity& identity)
    : bounds_(bounds),
      identity_(identity),
      machine_(std::make_unique<Machine>(identity.number, *this)) {
    workload_.job = {bounds.job, bounds.job};
    workload_.wait = {WaitPolicy::Kind::fixed, bounds.wait};
    if (bounds.takes_again) workload_.takes_again = Workload::Again::always;
    lock_ = algorithm.make(*machine_, Key{"lock"}, bounds.options);
}

/// The tasks use the lock, so they go first.
Actor::~Actor() { machine_.reset(); }

void Actor::expect(WallTime clock, MonotonicTime monotonic, bool slow) {
    clock_ = clock;
    monotonic_ = monotonic;
    slow_ = slow;
    asked_clock_ = false;
    asked_monotonic_ = false;
    asked_slow_ = false;
    leaves_ = false;
    refused_ = false;
}

void Actor::start() {
    machine_->start(work(*machine_, *lock_, workload_));
    pass_over();
}

void Actor::observe(TaskId task, std::uint32_t ticket, Reply reply) {
    std::erase_if(shown_, [&](const Shown& shown) { return shown.ticket == ticket; });
    if (task.is_worker()) between_tries_ = false;
    const bool waited = machine_->observe(task, ticket, std::move(reply));
    LOCKLAB_ASSERT(waited);
    pass_over();
}

/// The job's register is not the lock's business, nor is the time in which a client only waits to
/// be done: neither is a step.
void Actor::pass_over() {
    for (;;) {
        const auto idles = std::find_if(shown_.begin(), shown_.end(), [&](const Shown& shown) {
            if (!machine_->waits_for(shown.task, shown.ticket)) return false;
            if (!shown.is_timer) return shown.node == kOracle && is_register(shown.command);
            const Phase phase = machine_->phase_of(shown.task);
            return enough() && (phase == Phase::idle || phase == Phase::acquire);
        });
        if (idles == shown_.end()) return;
        const Shown over = *idles;
        shown_.erase(idles);
        machine_->observe(over.task, over.ticket, over.is_timer ? Reply() : Reply::integer(0));
    }
}

Actor::Shown Actor::only_wait() const {
    const std::vector<Shown> all = waits();
    LOCKLAB_ASSERT(!all.empty());
    if (all.size() == 1) return all[0];
    throw std::length_error(
        "locks whose background task runs before they are held are not searched");
}

std::vector<Actor::Shown> Actor::waits() const {
    std::vector<Shown> waits;
    for (const Shown& shown : shown_) {
        if (machine_->waits_for(shown.task, shown.ticket)) waits.push_back(shown);
    }
    return waits;
}

void Actor::act(ClientId, TaskId task, Action& action) {
    Shown shown;
    shown.task = task;
    shown.ticket = action.ticket;
    shown.is_timer = action.kind == Action::Kind::sleep;
    if (shown.is_timer && task.is_worker()) {
        const Phase phase = machine_->phase_of(task);
        // A holder that tries again does so in time.
        const bool holds = phase == Phase::inside || (between_tries_ && inside_);
        if (holds) shown.timing = Timing::early;
        if (phase == Phase::idle || (between_tries_ && !inside_)) shown.timing = Timing::lazy;
    }
    shown.sleep = action.sleep;
    shown.node = action.node;
    shown.command = std::move(action.command);
    if (!shown.is_timer && task.is_worker()) {
        shown.first_of_try = !std::exchange(sent_in_try_, true);
    }
    shown_.push_back(std::move(shown));
}

WallTime Actor::now(ClientId) {
    asked_clock_ = true;
    return clock_;
}

MonotonicTime Actor::monotonic(ClientId) {
    asked_monotonic_ = true;
    return monotonic_;
}

Token Actor::fresh_token(ClientId) {
    return Token{identity_.names->text_of(identity_.owner, ++tokens_)};
}

void Actor::note(ClientId, Phase, EventDetail detail) {
    if (std::holds_alternative<event::Wants>(detail)) {
        tries_ = 0;
        sent_in_try_ = false;
    } else if (std::holds_alternative<event::Refused>(detail) ||
               std::holds_alternative<event::Failed>(detail)) {
        ++tries_;
        between_tries_ = true;
        sent_in_try_ = false;
        const auto* refused = std::get_if<event::Refused>(&detail);
        refused_ = refused != nullptr && !refused->unsure;
    } else if (std::holds_alternative<event::Granted>(detail)) {
        inside_ = true;
    } else if (std::holds_alternative<event::Leaving>(detail)) {
        inside_ = false;
        leaves_ = true;
    } else if (std::holds_alternative<event::Lost>(detail)) {
        inside_ = false;
    }
}

std::uint64_t Actor::next_grant(ClientId) {
    if (!inside_) ++rounds_;
    return ++grants_;
}

bool Actor::enough() {
    const bool all = rounds_ >= bounds_.rounds && !inside_;
    return all || tries_ >= bounds_.attempts;
}

std::optional<Duration> Actor::slow_job(ClientId, std::uint32_t) {
    asked_slow_ = true;
    if (!slow_) return std::nullopt;
    return bounds_.slow_job;
}

}  // namespace locklab
