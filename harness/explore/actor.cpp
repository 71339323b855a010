#include "harness/explore/actor.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace locklab {

namespace {

/// Stands for the servers of an actor: the caller supplies the replies, so no command reaches it.
class Nobody final : public RemoteStore {
public:
    void on(const Input& input, WallTime, Outbox&) override {
        LOCKLAB_ASSERT(!std::holds_alternative<Request>(input) &&
                       "an actor's commands reach no server");
    }
};

Nobody nobody;

/// The other clients never begin.
ClusterConfig config_of(const Algorithm& algorithm, const Bounds& bounds, ClientId number) {
    ClusterConfig config{bounds.shape_for(algorithm)};
    config.clients = number.value + 1;
    config.keeps_history = false;
    return config;
}

}  // namespace

Actor::Actor(const Algorithm& algorithm, const Bounds& bounds, const Identity& identity)
    : algorithm_(algorithm),
      bounds_(bounds),
      identity_(identity),
      workload_(its_workload(identity.number, workload_of(bounds), bounds.unequal)),
      client_(bounds),
      cluster_(config_of(algorithm, bounds, identity.number), *this, nobody) {}

void Actor::expect(WallTime clock, MonotonicTime monotonic, bool slow) {
    cluster_.pass_to(Instant(monotonic.time_since_epoch()));
    const Duration off = clock - cluster_.now(identity_.number);
    if (off != Duration::zero()) {
        cluster_.strike(identity_.number, {Hazard::clock_jump, {}, off});
    }
    slow_ = slow;
    asked_slow_ = false;
    before_ = cluster_.probes();
}

void Actor::start() {
    client_.begin_step(TaskId{});
    cluster_.start(identity_.number, workload_);
    pass_over();
    refuse_what_throws();
}

void Actor::come_again() {
    try_on();
    const Shown* const rest = wait_of(TaskId{});
    LOCKLAB_ASSERT(rest != nullptr && rest->is_timer);
    observe(Shown(*rest), Reply());
}

void Actor::observe(const Shown& wait, Reply reply) {
    client_.begin_step(wait.task);
    end(Shown(wait), std::move(reply));
    pass_over();
    refuse_what_throws();
}

void Actor::refuse_what_throws() const {
    if (cluster_.thrown().empty()) return;
    throw LockThrew(algorithm_, cluster_.thrown());
}

void Actor::end(const Shown& wait, Reply&& reply) {
    LOCKLAB_ASSERT(is_waited_for(wait));
    std::erase_if(shown_, [&](const Shown& shown) { return shown.ticket == wait.ticket; });
    if (wait.is_timer) {
        cluster_.apply({MoveKind::fire, identity_.number, wait.task, wait.ticket, 0});
        return;
    }
    if (!wait.to_all) return cluster_.answer(wait.message, std::move(reply));
    const std::vector<Message>& messages = cluster_.value().messages;
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
        if (messages[i].ticket != wait.ticket || messages[i].told) continue;
        LOCKLAB_ASSERT(is_waited_for(wait));
        cluster_.answer(i, Reply(reply.elements()[messages[i].server.value]));
    }
    LOCKLAB_ASSERT(!is_waited_for(wait) && "every server has answered");
}

void Actor::pass_over() {
    for (;;) {
        const auto idles = std::find_if(shown_.begin(), shown_.end(), [&](const Shown& shown) {
            if (!is_waited_for(shown)) return false;
            if (!shown.is_timer) return BoundedClient::passes_over(command_of(shown), shown.node);
            return client_.passes_over_sleep(phase_of(shown.task));
        });
        if (idles == shown_.end()) return;
        const Shown over = *idles;
        end(over, Reply::integer(0));
    }
}

Actor::Shown Actor::only_wait() const {
    const std::vector<Shown> all = waits();
    LOCKLAB_ASSERT(!all.empty());
    if (all.size() == 1) return all[0];
    throw std::length_error(
        "locks whose background task runs before they are held are not searched");
}

const Actor::Shown* Actor::wait_of(TaskId task) const {
    for (const Shown& shown : shown_) {
        if (shown.task == task && is_waited_for(shown)) return &shown;
    }
    return nullptr;
}

std::vector<Actor::Shown> Actor::waits() const {
    std::vector<Shown> waits;
    for (const Shown& shown : shown_) {
        if (is_waited_for(shown)) waits.push_back(shown);
    }
    return waits;
}

bool Actor::begins_anew() const {
    if (!algorithm_.new_each_try || inside() || done()) return false;
    const std::vector<Shown> all = waits();
    return all.size() == 1 && all[0].task.is_worker() && all[0].timing == Timing::lazy;
}

void Actor::is_ready(std::uint32_t id) {
    const Message& message = cluster_.message(id);
    if (!shown_.empty() && shown_.back().ticket == message.ticket) {
        shown_.back().to_all = true;
        return;
    }
    Shown shown;
    shown.task = message.task;
    shown.ticket = message.ticket;
    shown.node = message.server;
    shown.message = id;
    shown.first_of_try = message.task.is_worker() && !std::exchange(sent_in_try_, true);
    shown_.push_back(shown);
}

void Actor::armed(const Move& move, const Window& window) {
    LOCKLAB_ASSERT(move.kind == MoveKind::fire);
    Shown shown;
    shown.task = move.task;
    shown.ticket = move.ticket;
    shown.is_timer = true;
    shown.timing = client_.timing_of(move.task, phase_of(move.task));
    shown.sleep = window.earliest - cluster_.value().now;
    shown_.push_back(shown);
}

std::optional<Token> Actor::token_of(ClientId client) {
    if (client != identity_.number) return std::nullopt;
    return Token{identity_.names->text_of(identity_.owner, ++tokens_)};
}

void Actor::noted(const Event& event) {
    client_.note(event.detail);
    const bool begins_try = std::holds_alternative<event::Wants>(event.detail) ||
                            std::holds_alternative<event::Refused>(event.detail) ||
                            std::holds_alternative<event::Failed>(event.detail);
    if (begins_try) sent_in_try_ = false;
}

std::optional<Duration> Actor::slow_job(ClientId, std::uint32_t) {
    asked_slow_ = true;
    if (!slow_) return std::nullopt;
    return bounds_.slow_job;
}

}  // namespace locklab
