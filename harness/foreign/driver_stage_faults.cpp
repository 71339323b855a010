// Faults of driver processes and of their servers.

#include <algorithm>
#include <future>
#include <utility>

#include "harness/core/token_text.h"
#include "harness/foreign/driver_stage.h"

namespace locklab {

namespace {

/// After a stop a process does what was due within this, and what it learns from that is heard.
constexpr Duration kWakesWithin = std::chrono::milliseconds(10);

[[noreturn]] void refuse(const char* why) { throw NotPlayed(why); }

/// The hazard of a restart with an old snapshot.
Hazard restart_of_age() {
    return std::ranges::find(kHazards, FaultSize::age, &HazardRow::size)->hazard;
}

/// Refuses the play if a fault would lose a command that a process has already sent: it would be
/// another play.
template <class Waits, class IsLost>
void refuse_to_lose(const Waits& waits, IsLost is_lost, const char* why) {
    const bool loses = std::ranges::any_of(waits, [&](const auto& wait) {
        return wait->name.connection != 0 && !wait->told && is_lost(*wait);
    });
    if (loses) refuse(why);
}

}  // namespace

void DriverStage::pause(ClientId client) {
    Actor& actor = actors_[client.value];
    if (actor.is_dead() || actor.paused) return;
    if (actor.driver->process().stop()) actor.paused = now();
}

void DriverStage::resume(ClientId client) {
    Actor& actor = actors_[client.value];
    if (!actor.paused) return;
    const Instant began = *actor.paused;
    story_->note_at(began, client, actor.phase(),
                    event::Fault{Hazard::pause, now() - began, 0, {}});
    actor.paused.reset();
    actor.driver->process().go_on();
    const Clock::time_point end = Clock::now() + kWakesWithin;
    while (Clock::now() < end) pump(std::chrono::duration_cast<Duration>(end - Clock::now()));
    wants_proof_ = true;
    actor.woke = actor.phase() == Phase::inside && !actor.worker.is_out() && is_in_company(actor);
}

void DriverStage::crash(ClientId client) {
    Actor& actor = actors_[client.value];
    if (actor.is_dead()) return;
    if (actor.paused) resume(client);
    actor.driver->process().kill();
    actor.worker.crash();
    actor.progress.gone = true;
    actor.progress.wanting = false;
    const Hazard crash = hazard_named("crash").value_or(kNoFault);
    story_->note(client, actor.phase(), event::Fault{crash, {}, 0, {}});
    for (const auto& wait : waits_) {
        if (wait->client != client || wait->in_network) continue;
        if (!wait->is_timer && wait->node != kOracle) reset(*wait);
        wait->told = true;
    }
    tidy_up();
}

void DriverStage::go_home(ClientId client) {
    Actor& actor = actors_[client.value];
    actor.worker.finish();
    actor.progress.gone = true;
    // A client that was asked something would still do it.
    if (actor.worker.is_asked()) {
        actor.driver->process().kill();
        actor.worker.gone();
    }
    for (const auto& wait : waits_) {
        if (wait->client != client || wait->in_network) continue;
        if (!wait->is_timer && wait->node != kOracle) reset(*wait);
        wait->told = true;
    }
    tidy_up();
}

/// How long it hung is known only now.
void DriverStage::go_on(NodeId node) {
    const auto hung = hung_.find(node);
    if (hung == hung_.end()) return;
    const Instant began = hung->second;
    hung_.erase(hung);
    story_->note_at(began, ClientId{0}, Phase::idle,
                    event::Fault{Hazard::freeze, now() - began, 0, node});
}

/// How long it was cut is known only now.
void DriverStage::heal(ClientId client, NodeId node) {
    const auto cut = cut_.extract({client, node});
    if (cut.empty()) return;
    story_->note_at(cut.mapped(), client, Phase::idle,
                    event::Fault{Hazard::partition, now() - cut.mapped(), 0, node});
}

/// Answers that no client has taken are lost with their connections. A server that hung hangs no
/// more.
void DriverStage::kill_server(NodeId node) {
    go_on(node);
    const auto has_yet_to_come = [&](const Held& wait) { return wait.node == node && !wait.sent; };
    refuse_to_lose(waits_, has_yet_to_come,
                   "a process has sent its next command before the restart, which loses it");
    for (const auto& wait : waits_) {
        wait->broken |= wait->node == node && (wait->answered || wait->reply_held);
    }
    parts_.servers.kill(node);
    pump(kWakesWithin);
}

void DriverStage::restart(Duration outage, NodeId node) {
    const Instant began = now();
    kill_server(node);
    story_->note_at(began, ClientId{0}, Phase::idle,
                    event::Fault{Hazard::restart, outage, 0, node});
    if (outage == Duration::zero()) return bring_back(node);
    Held& timer = add(ClientId{0}, TaskId{1}, Phase::background);
    timer.is_timer = timer.brings_back = true;
    timer.node = node;
    timer.due = now() + outage;
}

void DriverStage::bring_back(NodeId node) {
    if (parts_.servers.is_up(node)) return;
    parts_.servers.bring_back(node);
    see(node, look(node));
    keep_snapshot(node);
}

void DriverStage::keep_snapshot(NodeId node) {
    if (parts_.keeps_snapshots) parts_.servers.keep_snapshot(node);
}

void DriverStage::restart_with(const ManagedServers::Kept& kept, Duration age, NodeId node) {
    const Instant began = now();
    const ServerSnapshot snapshot = kept.data;
    kill_server(node);
    story_->note_at(began, ClientId{0}, Phase::idle, event::Fault{restart_of_age(), age, 0, node});
    parts_.servers.bring_back(node, snapshot);
    see(node, look(node));
    keep_snapshot(node);
}

void DriverStage::restore(Duration age, NodeId node) {
    restart_with(parts_.servers.kept_at(node, Clock::now() - age), age, node);
}

void DriverStage::save(NodeId node) {
    saved_[node] = {Clock::now(), ServerSnapshot(parts_.servers.endpoint(node))};
}

void DriverStage::restore_saved(NodeId node) {
    const ManagedServers::Kept& saved = saved_[node];
    restart_with(saved, now() - story_->instant_of(saved.at), node);
}

void DriverStage::evict(NodeId node, const std::string& key) {
    if (without_tokens(key) != key) {
        refuse("the name of the key that is evicted holds a token, and processes draw their own");
    }
    story_->note(ClientId{0}, Phase::idle, event::Fault{Hazard::evict, {}, 0, node, false, key});
    if (key.empty()) {
        key_watches_[node.value]->evict();
    } else {
        key_watches_[node.value]->remove(key);
    }
    see(node, look(node));
    keep_snapshot(node);
}

void DriverStage::flush(NodeId node) {
    story_->note(ClientId{0}, Phase::idle, event::Fault{Hazard::flush, {}, 0, node});
    key_watches_[node.value]->remove_all();
    see(node, look(node));
    keep_snapshot(node);
}

void DriverStage::jump_clock(ClientId client, Duration by) {
    const Actor& actor = actors_[client.value];
    if (actor.is_dead()) return;
    story_->note(client, actor.phase(), event::Fault{Hazard::clock_jump, by});
    parts_.team.clock(client.value).jump(by);
}

void DriverStage::jump_server_clock(Duration by, NodeId node) {
    story_->note(ClientId{0}, Phase::idle, event::Fault{Hazard::server_clock_jump, by, 0, node});
    parts_.servers.jump_clock(node, by);
    see(node, look(node));
}

void DriverStage::stall(ClientId) {
    if (parts_.subject.row().renews) refuse("one thread of a process cannot be stopped by itself");
}

/// No client uses the replica before it has taken over, so it may become a master now.
void DriverStage::cut_off_replica() {
    if (!parts_.servers.is_up(NodeId{0})) refuse("its master is away as the replica takes over");
    cut_off_ = now();
    parts_.servers.take_over_with_all();
    see(config_.topology.replica(), look(config_.topology.replica()));
}

void DriverStage::take_over() {
    if (!cut_off_) cut_off_replica();
    if (std::exchange(took_over_, true)) return;
    const Duration until_now = now() - *cut_off_;
    story_->note_at(*cut_off_, ClientId{0}, Phase::idle,
                    event::Fault{Hazard::failover, until_now, 0, config_.topology.replica()});
}

void DriverStage::learn(ClientId client) {
    const auto is_its = [&](const Held& wait) { return wait.client == client && !wait.over; };
    refuse_to_lose(
        waits_, [&](const Held& wait) { return is_its(wait) && wait.sent; },
        "what a process has asked the old master would be lost as it learns of the new one");
    refuse_to_lose(waits_, is_its,
                   "a process has sent its next command before it learns of the new master");
    Actor& actor = actors_[client.value];
    actor.master = config_.topology.replica();
    const Endpoint server = parts_.servers.endpoint(actor.master);
    std::promise<void> led;
    proxy_->post([&, link = links_.at(client, NodeId{0})](FaultProxy& proxy) {
        proxy.lead(link, server);
        led.set_value();
    });
    led.get_future().wait();
    story_->note(client, actor.phase(), event::Learnt{actor.master});
    pump(kWakesWithin);
}

}  // namespace locklab
