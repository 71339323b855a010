// What a plain run offers.

#include "harness/explore/plain_run.h"

#include <algorithm>

#include "harness/explore/step_text.h"

namespace locklab {

namespace {

WallTime clock_at(std::int64_t at) { return ClientModel::clock_at(static_cast<std::int32_t>(at)); }

std::uint8_t slot_of(const Actor::Shown& shown) {
    return static_cast<std::uint8_t>(shown.task.value);
}

}  // namespace

PlainRun::PlainRun(const Algorithm& algorithm, const Bounds& bounds, ScriptEngine& scripts,
                   const std::array<std::int16_t, Bounds::kMostClients>& clocks)
    : algorithm_(algorithm),
      bounds_(bounds),
      on_redis_(algorithm.on_redis),
      scripts_(scripts),
      names_(bounds.tokens),
      clients_(bounds.clients),
      leaves_(bounds.leaves) {
    for (const HazardRow& row : kHazards) left(row.hazard) = bounds.faults[row.hazard];
    for (std::uint32_t i = 0; i < bounds.clients; ++i) {
        clients_[i].actor =
            std::make_unique<Actor>(algorithm, bounds, Actor::Identity{ClientId{i}, i, &names_});
        clients_[i].clock = clocks[i];
        if (clocks[i] == 0) continue;
        --left(Hazard::clock_offset);
        coverage_.strike(Hazard::clock_offset, Phase::idle);
    }
}

bool PlainRun::is_violated() const {
    return std::count_if(clients_.begin(), clients_.end(), [](const Client& client) {
               return !client.gone && client.actor->inside();
           }) > 1;
}

bool PlainRun::can_act(const Client& client, std::uint8_t slot) const {
    return client.paused_until <= now_ && (slot == 0 || client.stalled_until <= now_);
}

bool PlainRun::calm_step(std::uint8_t i, const Actor::Shown& shown, Step& step) const {
    const Call& call = call_of(clients_[i], shown.ticket);
    step = {Step::Kind::send, i, slot_of(shown), false, 0};
    if (!can_act(clients_[i], step.slot)) return false;
    if (call.is_timer) {
        step.kind = Step::Kind::wake;
        const bool early = shown.timing == Timing::early && bounds_.any_length;
        return early || shown.timing == Timing::lazy || call.due <= now_;
    }
    if (!call.sent) return !waits_behind(i, step.slot);
    step.kind = call.reply ? Step::Kind::take : Step::Kind::expire;
    return (call.reply && bounds_.any_length) || call.due <= now_;
}

/// Whether time must not pass before it has made the step that it can.
bool PlainRun::must_act_now(const Client& client, const Actor::Shown& shown) const {
    return shown.timing != Timing::lazy && call_of(client, shown.ticket).due <= now_;
}

std::vector<PlainRun::Late>::const_iterator PlainRun::first_late(std::uint8_t client,
                                                                 std::uint8_t slot) const {
    auto first = late_.end();
    for (auto late = late_.begin(); late != late_.end(); ++late) {
        if (late->client != client || late->slot != slot) continue;
        if (first == late_.end() || late->arrives < first->arrives) first = late;
    }
    return first;
}

bool PlainRun::waits_behind(std::uint8_t client, std::uint8_t slot) const {
    return std::any_of(late_.begin(), late_.end(), [&](const Late& late) {
        return late.client == client && late.slot == slot && late.in_order;
    });
}

std::vector<Step> PlainRun::offered() const {
    std::vector<Step> steps;
    bool must_act = false;
    for (std::uint8_t i = 0; i < clients_.size(); ++i) {
        const Client& client = clients_[i];
        if (client.gone) continue;
        if (!client.begun) {
            steps.push_back({Step::Kind::wake, i, 0, false, 0});
            continue;
        }
        if (may_leave(client)) steps.push_back({Step::Kind::leave, i, 0, false, 0});
        const bool early = bounds_.any_length;
        if (early && client.paused_until > now_)
            steps.push_back({Step::Kind::resume, i, 0, false, 0});
        if (early && client.stalled_until > now_)
            steps.push_back({Step::Kind::resume, i, 1, false, 0});
        for (const Actor::Shown& shown : client.actor->waits()) {
            Step step;
            if (!calm_step(i, shown, step)) continue;
            steps.push_back(step);
            must_act = must_act || must_act_now(client, shown);
            if (step.kind == Step::Kind::take && may(Hazard::slow_job)) {
                step.slow = true;
                steps.push_back(step);
            }
            if (step.kind != Step::Kind::send || shown.node == kOracle) continue;
            for (const Step::Kind kind :
                 {Step::Kind::lose_request, Step::Kind::lose_reply, Step::Kind::delay,
                  Step::Kind::delay_reply, Step::Kind::retry}) {
                step.kind = kind;
                if (may(*hazard_of(step))) steps.push_back(step);
            }
        }
    }
    for (auto late = late_.begin(); late != late_.end(); ++late) {
        must_act = must_act || late->arrives <= now_;
        if (!bounds_.any_length && late->arrives > now_) continue;
        if (first_late(late->client, late->slot) != late) continue;
        steps.push_back({Step::Kind::arrive, late->client, late->slot, false, 0});
    }
    const std::int64_t due = must_act ? 0 : next_due();
    if (due > 0) {
        steps.push_back({Step::Kind::pass, 0, 0, false, static_cast<std::uint16_t>(due)});
    }
    if (!steps.empty()) offer_faults(steps);
    return steps;
}

bool PlainRun::may_leave(const Client& client) const {
    const KeyEntry* lock = lock_key();
    const bool runs_out =
        bounds_.options.ttl != Duration::zero() || (lock != nullptr && lock->has_deadline());
    return leaves_ > 0 && runs_out && client.paused_until <= now_ && client.actor->leaves() &&
           std::none_of(client.calls.begin(), client.calls.end(),
                        [](const Call& call) { return call.slot == 0 && call.sent; });
}

void PlainRun::offer_faults(std::vector<Step>& steps) const {
    const auto offer_if = [&](bool can, Step::Kind kind, std::uint8_t client) {
        if (can) steps.push_back({kind, client, 0, false, 0});
    };
    for (std::uint8_t i = 0; i < clients_.size(); ++i) {
        const Client& client = clients_[i];
        if (client.gone) continue;
        offer_if(may(Hazard::clock_jump), Step::Kind::clock_ahead, i);
        offer_if(may(Hazard::clock_jump), Step::Kind::clock_back, i);
        if (!client.begun) continue;
        const std::vector<Actor::Shown> waits = client.actor->waits();
        const bool has_watchdog = std::any_of(
            waits.begin(), waits.end(), [](const auto& shown) { return !shown.task.is_worker(); });
        offer_if(may(Hazard::crash), Step::Kind::crash, i);
        offer_if(may(Hazard::pause) && client.paused_until <= now_, Step::Kind::pause, i);
        offer_if(may(Hazard::stall) && client.stalled_until <= now_ && has_watchdog,
                 Step::Kind::stall, i);
    }
    const KeyEntry* lock = lock_key();
    offer_if(may(Hazard::restart), Step::Kind::restart, 0);
    const bool restores = may(Hazard::restart_snapshot);
    offer_if(restores && !saved_ && !server_.keys().entries().empty(), Step::Kind::save, 0);
    offer_if(restores, Step::Kind::restore, 0);
    offer_if(may(Hazard::evict) && (!on_redis_ || lock != nullptr), Step::Kind::evict, 0);
    const bool jumps =
        may(Hazard::server_clock_jump) && (!on_redis_ || !server_.keys().entries().empty());
    offer_if(jumps, Step::Kind::server_ahead, 0);
    offer_if(jumps, Step::Kind::server_back, 0);
}

std::int64_t PlainRun::next_due() const {
    std::int64_t least = 0;
    const auto consider = [&](std::int64_t at) {
        if (at > now_ && (least == 0 || at - now_ < least)) least = at - now_;
    };
    for (const Client& client : clients_) {
        if (client.gone) continue;
        for (const Call& call : client.calls) {
            if (call.is_timer || call.sent) consider(call.due);
        }
        consider(client.paused_until);
        consider(client.stalled_until);
    }
    for (const Late& late : late_) consider(late.arrives);
    const KeyEntry* lock = lock_key();
    if (lock == nullptr || !lock->has_deadline()) return least;
    const std::int64_t server_now =
        server_clock().time_since_epoch() / std::chrono::milliseconds(1);
    consider(now_ + lock->deadline_ms - server_now + 1);
    return least;
}

Actor::Shown PlainRun::shown_at(const Step& step) const {
    const std::vector<Actor::Shown> waits = clients_[step.client].actor->waits();
    const auto at = std::find_if(waits.begin(), waits.end(),
                                 [&](const auto& shown) { return slot_of(shown) == step.slot; });
    LOCKLAB_ASSERT(at != waits.end());
    return *at;
}

const PlainRun::Call& PlainRun::call_of(const Client& client, std::uint32_t ticket) {
    const auto call = std::find_if(client.calls.begin(), client.calls.end(),
                                   [&](const Call& other) { return other.ticket == ticket; });
    LOCKLAB_ASSERT(call != client.calls.end());
    return *call;
}

WallTime PlainRun::server_clock() const { return clock_at(now_ + server_offset_); }

const KeyEntry* PlainRun::lock_key() const { return server_.keys().stored("lock"); }

}  // namespace locklab
