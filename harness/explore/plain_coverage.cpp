// What a plain run records: the events of its clients, and what it exercises.

#include <algorithm>

#include "harness/explore/evicted_keys.h"
#include "harness/explore/plain_run.h"
#include "harness/explore/step_text.h"

namespace locklab {

void PlainRun::noted(const Event& event) {
    const std::uint32_t client = event.client.value;
    BoundedClient& work = clients_[client].work;
    if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
        const bool takes = ran->effect.kind == KeyEffect::Kind::created ||
                           ran->effect.kind == KeyEffect::Kind::replaced;
        const bool counts = sends_ && event.phase == Phase::acquire && bounds_.orders_tokens();
        if (takes && counts) tokens_.takes(client);
        if (ran->node != kOracle) {
            coverage_.answered.insert(answered(ran->command, ran->reply));
        }
    }
    const bool was_inside = work.inside();
    work.note(event.detail);
    if (!was_inside && work.inside() && work.fence() != 0) tokens_.tell(client, work.fence());
    if (listener_) listener_(event);
}

/// Covers what the step is about to exercise. If no job begins, make() fails and the run is
/// dropped.
void PlainRun::cover(const Step& step) {
    coverage_.sets_ttl = coverage_.sets_ttl || has_deadline(true);
    const bool outlives = step.kind == Step::Kind::pass && has_deadline(false);
    coverage_.sets_other_ttl = coverage_.sets_other_ttl || outlives;
    cover_refused();
    cover_keys();
    const Client& client = clients_[step.client];
    const TaskId task{task_of(step.slot)};
    const bool sends = step.kind == Step::Kind::send || is_command_fault(step.kind);
    // What is answered with an error, or gets nowhere, has done nothing.
    if (sends && !error_of(step.kind)) {
        const Message& message = cluster_.message(*ready_for(step));
        const NodeId server = message.route.node;
        if (server != kOracle && !is_cut(step.client, server)) {
            coverage_.sent.insert({shape_of(message.command), phase_of(client, task)});
        }
    }
    const std::optional<Hazard> hazard = hazard_of(step);
    if (!hazard) return;
    if (step.slow) {
        coverage_.strike(*hazard, Phase::inside);
    } else if (is_of_client(step.kind)) {
        const bool stall = step.kind == Step::Kind::stall;
        coverage_.strike(*hazard, phase_of(client, stall ? TaskId{1} : task));
    } else {
        for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
            coverage_.strike(*hazard, phase_of(clients_[i], TaskId{}));
        }
    }
}

/// Whether an eviction may strike what none here strikes.
void PlainRun::cover_keys() {
    if (!may(hazard_of(Step::Kind::evict))) return;
    for (std::uint32_t i = 0; i < cluster_.nodes(); ++i) {
        if (cluster_.is_following(NodeId{i})) continue;
        for (const KeyEntry& entry : data_of(NodeId{i}).keys().entries()) {
            if (place_of_key(keys_, entry.name) < keys_.size()) continue;
            coverage_.add_unlisted(without_tokens(entry.name));
        }
    }
}

Crowd PlainRun::inside() const {
    Crowd inside;
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
        if (is_inside(i)) inside.add(mode_of(i));
    }
    return inside;
}

void PlainRun::cover_refused() {
    if (algorithm_.permits == 1) return;
    const Crowd crowd = inside();
    for (std::uint32_t k = 0; k < bounds_.clients; ++k) {
        const bool refused = is_there(static_cast<std::uint8_t>(k)) && clients_[k].work.refused();
        if (refused) coverage_.refuse(mode_of(k), crowd, algorithm_.permits);
    }
}

bool PlainRun::has_deadline(bool of_lock) const {
    const auto expires = [of_lock](const KeyEntry& key) {
        return key.has_deadline() && (key.name == kLock) == of_lock;
    };
    for (std::uint32_t i = 0; i < cluster_.nodes(); ++i) {
        if (std::ranges::any_of(data_of(NodeId{i}).keys().entries(), expires)) return true;
    }
    return false;
}

void PlainRun::cover_passing() {
    bool any = false;
    for (std::uint32_t i = 0; i < cluster_.servers(); ++i) {
        const std::int64_t now_ms = cluster_.clock_of(NodeId{i}).time_since_epoch() / kMs;
        for (const KeyEntry& key : data_of(NodeId{i}).keys().entries()) {
            if (!key.expired(now_ms)) continue;
            any = any || key.name == kLock;
            coverage_.other_ran_out = coverage_.other_ran_out || key.name != kLock;
        }
    }
    if (!any) return;
    coverage_.ran_out = true;
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
        coverage_.ran_out_inside = coverage_.ran_out_inside || is_inside(i);
    }
}

}  // namespace locklab
