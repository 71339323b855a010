#include "harness/inclusion/follower.h"

#include <algorithm>

namespace locklab {

namespace {

/// A live run reads its clock more than once per event.
constexpr Duration kReadings = std::chrono::milliseconds(2);
/// Allowance for a machine that keeps up.
constexpr Duration kLate = std::chrono::milliseconds(10);

ClusterConfig config_of(const History& history, const RunSpec& spec) {
    ClusterConfig config{spec};
    config.key = Key{history.key};
    config.epoch = history.began;
    return config;
}

Duration longest_draw(const RunSpec& spec) {
    const Workload& usual = spec.workload;
    Duration longest = std::max({usual.think.most, usual.away.most, usual.wait.delay * 64});
    for (std::uint32_t i = 0; i < spec.workers(); ++i) {
        longest = std::max(longest, its_workload(ClientId{i}, usual, spec.unequal).job.most);
    }
    return longest;
}

}  // namespace

Follower::Follower(const History& history, const RunSpec& spec, Duration lag)
    : history_(history),
      spec_(spec),
      late_(2 * lag + kLate),
      leeway_(longest_draw(spec)),
      tokens_(history),
      down_until_(spec.topology.nodes(), Instant::min()),
      passed_over_(spec.workers(), spec.grants),
      cluster_(config_of(history, spec), *this, server_) {
    for (std::uint32_t i = 0; i < spec.workers(); ++i) {
        workloads_.push_back(its_workload(ClientId{i}, spec.workload, spec.unequal));
    }
    if (spec.algorithm->reads_wall_clock) {
        tolerance_.units = 1 + (lag + kReadings) / spec.options.clock_unit;
        tolerance_.lease = spec.options.clock_unit * tolerance_.units;
    }
    if (spec.algorithm->reads_monotonic_clock) tolerance_.lease += lag + kReadings;
}

void Follower::advance() {
    const auto cuts = [](const Event& event) {
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        return fault != nullptr && cuts_link(fault->hazard);
    };
    do {
        ++next_;
    } while (next() != nullptr && cuts(*next()));
}

Inclusion Follower::follow() {
    start();
    while (!refused_ && next() != nullptr) step();
    if (!refused_) {
        settle_until(history_.end);
        find_overdue(history_.end);
    }
    return refused_.value_or(Inclusion());
}

/// A live run first notes what its servers still have of earlier runs: clocks that jumped, hangs.
void Follower::strike_servers_that_lasted() {
    while (!refused_ && next() != nullptr) {
        const auto* fault = std::get_if<event::Fault>(&next()->detail);
        const bool is_servers =
            fault != nullptr && row_of(fault->hazard).target == FaultTarget::node;
        if (!is_servers) return;
        struck(*next(), *fault);
    }
}

void Follower::start() {
    strike_servers_that_lasted();
    for (std::uint32_t i = 0; i < spec_.workers() && !refused_; ++i) {
        for (const Event* event = next(); event != nullptr; event = next()) {
            const auto* fault = std::get_if<event::Fault>(&event->detail);
            const bool is_its = fault != nullptr && event->client == ClientId{i} &&
                                row_of(fault->hazard).moment == FaultMoment::at_start;
            if (!is_its) break;
            cluster_.strike(ClientId{i}, PlannedFault{fault->hazard, {}, fault->amount});
        }
        cluster_.start(ClientId{i}, workloads_[i]);
        ask_oracle();
    }
}

void Follower::step() {
    const Event& event = *next();
    settle_until(event.at);
    if (refused_) return;
    find_overdue(event.at);
    if (refused_) return;
    cluster_.pass_to(std::max(cluster_.value().now, event.at));
    if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
        executed(event, *ran);
    } else if (const auto* told = std::get_if<event::Replied>(&event.detail)) {
        replied(event, *told);
    } else if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
        struck(event, *fault);
    } else if (std::holds_alternative<event::Learnt>(event.detail)) {
        learnt(event);
    } else {
        go_on(event);
    }
}

void Follower::is_ready(std::uint32_t id) {
    const Message& message = cluster_.message(id);
    cluster_.set_arrival(id, cluster_.value().now);
    PlannedFault fault;
    const bool can_be_struck = message.route.node != kOracle && !message.resent;
    if (can_be_struck && next_ + 1 < history_.events.size()) {
        const Event& after = history_.events[next_ + 1];
        const auto* told = std::get_if<event::Fault>(&after.detail);
        const bool is_its = told != nullptr && !cuts_link(told->hazard);
        if (is_its && strikes_messages(told->hazard)) {
            fault.hazard = told->hazard;
            fault.amount = told->amount;
            fault.error = told->error.value_or(fault.error);
            fault.ran = told->ran;
        }
    }
    cluster_.depart(id, fault.hazard == kNoFault ? nullptr : &fault);
}

void Follower::armed(const Move& move, const Window& window) {
    Pending pending{move, window.earliest};
    switch (move.kind) {
        case MoveKind::fire:
            if (std::exchange(draws_, false)) pending.leeway = leeway_;
            break;
        case MoveKind::arrive:
            pending.oracle = cluster_.message(move.message).route.node == kOracle;
            pending.earliest = std::max(window.earliest, cluster_.message(move.message).arrives);
            break;
        case MoveKind::deliver:
            pending.oracle = cluster_.message(move.message).route.node == kOracle;
            if (cluster_.message(move.message).reply.is_unknown()) {
                pending.earliest -= kReadings;
            } else {
                pending.earliest += cluster_.message(move.message).reply_late;
            }
            break;
        case MoveKind::expire:
        case MoveKind::learn: break;
    }
    pending_.push_back(pending);
}

void Follower::noted(const Event& event) {
    passed_over_.see(event.client, event.detail);
    if (refused_ || std::holds_alternative<event::Executed>(event.detail)) return;
    const Event* told = next();
    if (told == nullptr) {
        --next_;
        return refuse("the history ends, and " + name_of(event.client) + " " + deed_of(event));
    }
    if (!same_event(event, *told, tolerance_)) {
        return refuse(name_of(told->client) + " " + deed_of(*told) + ", and by the rules " +
                      name_of(event.client) + " " + deed_of(event));
    }
    advance();
    cluster_.pass_to(std::max(cluster_.value().now, told->at));
}

std::optional<Duration> Follower::slow_job(ClientId client, std::uint32_t) {
    const Event* event = next();
    if (event == nullptr || event->client != client) return std::nullopt;
    const auto* fault = std::get_if<event::Fault>(&event->detail);
    const bool is_slow = fault != nullptr && row_of(fault->hazard).moment == FaultMoment::with_job;
    return is_slow ? std::optional(fault->amount) : std::nullopt;
}

/// Picks the shortest time that can be drawn; `leeway` allows a wait to end later.
std::uint32_t Follower::pick(ChoiceKind, std::uint32_t count) {
    if (count == kJobsPerAgain) {
        const Event* event = next();
        const auto* wants = event == nullptr ? nullptr : std::get_if<event::Wants>(&event->detail);
        return wants != nullptr && wants->again ? count - 1 : 0;
    }
    draws_ = true;
    return 0;
}

void Follower::make(std::size_t place) {
    const Pending pending = pending_[place];
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(place));
    draws_ = false;
    if (pending.move.kind == MoveKind::arrive || cluster_.is_waited_for(pending.move)) {
        cluster_.apply(pending.move);
    } else {
        if (pending.move.kind == MoveKind::expire) cluster_.will_expire(pending.move.message);
        cluster_.drop(pending.move);
    }
    ask_oracle();
}

/// The oracle answers at once. What the lock's key held as a job wrote, no history tells: so a
/// guarded write does what is told of it.
void Follower::ask_oracle() {
    const auto asked = std::ranges::find_if(pending_, [](const Pending& pending) {
        return pending.oracle && pending.move.kind == MoveKind::arrive;
    });
    if (asked == pending_.end()) return;
    if (spec_.guards_writes) {
        const auto* denied =
            next() == nullptr ? nullptr : std::get_if<event::Denied>(&next()->detail);
        server_.will_answer(Reply::integer(denied != nullptr && denied->fence == 0 ? 0 : 1));
    }
    make(static_cast<std::size_t>(asked - pending_.begin()));
}

void Follower::go_on(const Event& event) {
    const bool worker = event.phase != Phase::background;
    std::size_t best = kNone;
    const auto consider = [&](bool its) {
        for (std::size_t i = 0; i < pending_.size(); ++i) {
            const Pending& pending = pending_[i];
            const bool ends_a_wait = pending.move.kind == MoveKind::fire ||
                                     (pending.oracle && pending.move.kind == MoveKind::deliver);
            const bool is_its =
                pending.move.client == event.client && pending.move.task.is_worker() == its;
            if (!ends_a_wait || !is_its || !cluster_.is_waited_for(pending.move)) continue;
            if (possible_since(pending) > event.at) continue;
            if (best == kNone || pending.earliest < pending_[best].earliest) best = i;
        }
    };
    if (!std::holds_alternative<event::Lost>(event.detail)) consider(worker);
    if (std::holds_alternative<event::Lost>(event.detail)) consider(false);
    if (best == kNone) {
        return refuse(name_of(event.client) + " " + deed_of(event) + ", and " + why_not(event));
    }
    make(best);
}

std::string Follower::why_not(const Event& event) const {
    const Machine& machine = cluster_.machine(event.client);
    if (machine.crashed()) return "has crashed";
    if (machine.finished()) return "has finished";
    for (const Pending& pending : pending_) {
        const bool is_its = pending.move.client == event.client &&
                            pending.move.task.is_worker() == (event.phase != Phase::background);
        if (!is_its || !cluster_.is_waited_for(pending.move)) continue;
        if (cluster_.held_up_until(pending.move) > event.at) return "is paused";
        if (pending.move.kind == MoveKind::fire) return "sleeps for longer";
    }
    return "waits for something else, or for nothing";
}

void Follower::refuse(std::string why) {
    if (refused_) return;
    refused_.emplace();
    refused_->found = Inclusion::Found::refused;
    refused_->event = std::min(next_, history_.events.size() - 1);
    refused_->why = std::move(why);
}

}  // namespace locklab
