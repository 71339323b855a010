// How time passes in a play on drivers, and how much of it nobody asked for.

#include <algorithm>
#include <map>
#include <utility>

#include "harness/foreign/driver_stage.h"
#include "harness/live/processor_wait.h"

namespace locklab {

namespace {

/// How often to look at processes that may act by themselves.
constexpr Duration kTick = std::chrono::milliseconds(2);
/// Time below this that nobody asked for is not looked into; it is added to what follows.
constexpr Duration kShort = std::chrono::microseconds(200);

}  // namespace

bool DriverStage::await_command(ClientId client, TaskId task, NodeId node) {
    const Actor& actor = actors_[client.value];
    const auto is_there = [&] {
        return std::ranges::any_of(waits_, [&](const auto& wait) {
            return wait->client == client && wait->task.is_worker() == task.is_worker() &&
                   wait->node == node && !wait->is_timer && !wait->sent && !wait->told;
        });
    };
    if (!can_act(actor)) return is_there();
    end_unasked();
    const bool came = pump_until(config_.options.ttl, is_there);
    asked_until_ = now();
    return came;
}

/// Whether its process may act by itself.
bool DriverStage::can_act(const Actor& actor) const {
    if (!actor.started || actor.paused || actor.is_dead()) return false;
    const bool renews = parts_.subject.renews_by_itself() && actor.phase() == Phase::inside;
    return actor.worker.is_asked() || renews;
}

std::optional<Instant> DriverStage::next_due(const Counts& counts) const {
    std::optional<Instant> next;
    if (std::ranges::any_of(actors_, [&](const Actor& actor) { return can_act(actor); })) {
        next = now() + kTick;
    }
    for (const auto& wait : waits_) {
        if (wait->told || wait->due == Instant::max() || !is_awake(*wait) || !counts(*wait) ||
            awaits_extension(*wait)) {
            continue;
        }
        if (!next || wait->due < *next) next = wait->due;
    }
    return next;
}

void DriverStage::pass_until(Instant at) {
    end_unasked();
    const Instant end = std::max(at, now());
    while (now() < end) pump(end - now());
    asked_until_ = now() - end <= kTick ? now() : end;
    tidy_up();
}

bool DriverStage::waits_for_lock(ClientId client) const {
    if (actors_[client.value].phase() != Phase::acquire) return false;
    const bool is_held = std::ranges::any_of(
        actors_, [&](const Actor& actor) { return story_->is_inside(actor.id()); });
    if (is_held) return true;
    std::map<NodeId, bool> is_there;
    for (const KeySight& sight : sights_) is_there[sight.node] = sight.value.has_value();
    return std::ranges::any_of(is_there, [](const auto& node) { return node.second; });
}

Duration DriverStage::waited_for_processors() const {
    Duration waited = processor_wait_of_this_thread().value_or(Duration(0));
    for (const Actor& actor : actors_) {
        if (actor.is_dead()) continue;
        waited += longest_processor_wait(actor.driver->process().pid()).value_or(Duration(0));
    }
    for (std::uint32_t i = 0; i < parts_.servers.size(); ++i) {
        const pid_t server = parts_.servers.process(NodeId{i}).pid();
        if (server != 0) waited += longest_processor_wait(server).value_or(Duration(0));
    }
    return waited;
}

void DriverStage::end_unasked() {
    unasked_.end = now();
    const Instant began = std::exchange(asked_until_, unasked_.end);
    unasked_.length += unasked_.end - began;
    unasked_.late += std::max(Duration(0), unasked_.end - std::max(began, script_waits_until_));
    if (unasked_.length < kShort) return;
    const Duration waited = waited_for_processors();
    // What a process waited that has ended since is missing.
    unasked_.machine = std::clamp(waited - processor_wait_, Duration(0), unasked_.length);
    processor_wait_ = waited;
    lateness_.add(std::exchange(unasked_, {}));
}

PlayLateness::Found DriverStage::lateness(Duration most) {
    end_unasked();
    return lateness_.more_than(most, config_.options.ttl);
}

}  // namespace locklab
