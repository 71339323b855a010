#include "harness/explore/actor.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace locklab {

Actor::Actor(const Algorithm& algorithm, const Bounds& bounds, const Identity& identity)
    : bounds_(bounds),
      identity_(identity),
      workload_(its_workload(identity.number, workload_of(bounds), bounds.unequal)),
      client_(bounds),
      machine_(std::make_unique<Machine>(identity.number, *this,
                                         its_mode(identity.number, algorithm, bounds.unequal))) {
    const LockOptions options = its_options(identity.number, bounds.options, bounds.unequal);
    locks_ = make_locks(algorithm, *machine_, Key{"lock"}, options);
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
}

void Actor::start() {
    client_.begin_step(TaskId{});
    machine_->start(work(*machine_, locks_, workload_));
    pass_over();
}

void Actor::observe(const Shown& wait, Reply reply) {
    const auto [task, ticket] = std::pair(wait.task, wait.ticket);
    const bool from_all = wait.to_all;
    std::erase_if(shown_, [&](const Shown& shown) { return shown.ticket == ticket; });
    client_.begin_step(task);
    const auto tell = [&](Reply one, NodeId from) {
        const bool waited = machine_->observe(task, ticket, std::move(one), from);
        LOCKLAB_ASSERT(waited);
    };
    if (from_all) {
        for (std::uint32_t i = 0; i < servers(); ++i) tell(reply.elements()[i], NodeId{i});
    } else {
        tell(std::move(reply), NodeId{});
    }
    pass_over();
}

void Actor::pass_over() {
    for (;;) {
        const auto idles = std::find_if(shown_.begin(), shown_.end(), [&](const Shown& shown) {
            if (!machine_->waits_for(shown.task, shown.ticket)) return false;
            if (!shown.is_timer) return BoundedClient::passes_over(shown.command, shown.node);
            return client_.passes_over_sleep(machine_->phase_of(shown.task));
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
    if (shown.is_timer) shown.timing = client_.timing_of(task, machine_->phase_of(task));
    shown.sleep = action.sleep;
    shown.node = action.node;
    shown.to_all = !shown.is_timer && action.to_all;
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

void Actor::note(ClientId, Phase, EventDetail detail, ResourceId) {
    client_.note(detail);
    const bool begins_try = std::holds_alternative<event::Wants>(detail) ||
                            std::holds_alternative<event::Refused>(detail) ||
                            std::holds_alternative<event::Failed>(detail);
    if (begins_try) sent_in_try_ = false;
}

std::optional<Duration> Actor::slow_job(ClientId, std::uint32_t) {
    asked_slow_ = true;
    if (!slow_) return std::nullopt;
    return bounds_.slow_job;
}

}  // namespace locklab
