#include "harness/foreign/driver_stage.h"

#include <algorithm>
#include <utility>

namespace locklab {

namespace {

/// Moves of background tasks at the end of a play.
constexpr int kLastMoves = 100;

HistoryHead stage_head(const StageConfig& config, const Subject& subject, const std::string& key) {
    HistoryHead head;
    head.world = "driver";
    head.in_order = true;
    head.algorithm = std::string(subject.row().name);
    head.clients = config.clients;
    head.key = key;
    head.clock_unit = config.options.clock_unit;
    return head;
}

}  // namespace

DriverStage::DriverStage(StageConfig config, const Parts& parts, CommandFaults& faults)
    : config_(std::move(config)),
      parts_(parts),
      faults_(faults),
      links_(config_.clients, config_.topology.masters) {
    try {
        open();
    } catch (const std::runtime_error&) {
        blame_operator();
        throw;
    }
    blame_operator();
    inbox_->close_gate();
    story_ = std::make_unique<RunStory>(stage_head(config_, parts_.subject, lock_keys_.front()),
                                        Clock::now());
    teller_ = std::make_unique<CommandTeller>(
        CommandTeller::Terms{.asked = key_,
                             .keys = lock_keys_,
                             .renews = parts_.subject.renews_by_itself(),
                             .sees_effects = true});
    for (std::uint32_t i = 0; i < config_.clients; ++i) {
        const ClientOptions* own = options_of(config_.unequal, ClientId{i});
        const Duration ttl = own != nullptr && own->ttl ? *own->ttl : config_.options.ttl;
        const DriverWorker::Terms terms{
            .lease = parts_.subject.own_lease(ttl),
            .fences = parts_.subject.row().fences,
            .always_releases = config_.roles[i].workload.always_releases,
            .extended = parts_.subject.extended_by_hand() ? ttl : Duration(0)};
        actors_.push_back({.worker = DriverWorker(ClientId{i}, terms, *story_),
                           .driver = &parts_.team.driver(i)});
        const Duration ahead = config_.roles[i].clock_offset;
        if (ahead == Duration(0)) continue;
        story_->note(ClientId{i}, Phase::idle, event::Fault{Hazard::clock_offset, ahead});
    }
    processor_wait_ = waited_for_processors();
}

/// A driver that owes an answer is not asked to close: it may wait for something that never comes.
DriverStage::~DriverStage() {
    for (Actor& actor : actors_) {
        if (actor.paused) actor.driver->process().go_on();
    }
    proxy_->stop();
    const std::unique_ptr<bool[]> well(new bool[actors_.size()]);
    for (std::size_t i = 0; i < actors_.size(); ++i) {
        well[i] = !actors_[i].is_dead() && !actors_[i].worker.is_asked();
    }
    try {
        for (std::uint32_t i = 0; i < parts_.servers.size(); ++i) {
            if (!parts_.servers.is_up(NodeId{i})) parts_.servers.bring_back(NodeId{i});
        }
        parts_.team.close({well.get(), actors_.size()});
    } catch (const std::runtime_error&) {
        parts_.team.end();
    }
}

bool DriverStage::is_awake(const Wait& wait) const {
    if (static_cast<const Held&>(wait).brings_back) return true;
    const Actor& actor = actors_[wait.client.value];
    return !actor.paused && !actor.is_dead();
}

/// Whether it waits until its client's worker has the answer to an extension.
bool DriverStage::awaits_extension(const Held& wait) const {
    const bool is_busy = wait.task.is_worker() && actors_[wait.client.value].worker.is_asked();
    return is_busy && (wait.is_timer || wait.node == kOracle) && !wait.sent;
}

std::optional<Cue::Kind> DriverStage::move_of(const Held& wait) const {
    const bool waits_on = !wait.told && is_awake(wait) && now() >= wait.due;
    const bool hangs = !wait.is_timer && hung_.contains(wait.node);
    if (wait.in_network && !waits_on && !hangs) return Cue::Kind::arrive;
    if (wait.reply_held && !wait.told && !waits_on) return Cue::Kind::come;
    if (wait.told || !is_awake(wait)) return std::nullopt;
    if (awaits_extension(wait)) return std::nullopt;
    if (wait.is_timer) {
        return now() < wait.due ? std::nullopt : std::optional(Cue::Kind::wake);
    }
    if (!wait.sent) return Cue::Kind::send;
    if (wait.answered) return Cue::Kind::take;
    if (now() >= wait.due) return Cue::Kind::expire;
    return std::nullopt;
}

NodeId DriverStage::node_at(std::uint32_t link) const {
    const bool has_role = config_.topology.replicas > 0;
    return has_role ? actors_[links_.client_of(link).value].master : links_.node_of(link);
}

std::vector<Cue> DriverStage::moves() {
    std::vector<Cue> moves;
    std::vector<Cue> arrivals;
    for (const auto& wait : waits_) {
        const auto kind = move_of(*wait);
        if (!kind) continue;
        const bool late = *kind == Cue::Kind::arrive || *kind == Cue::Kind::come;
        (late ? arrivals : moves).push_back({*kind, wait.get()});
    }
    moves.insert(moves.end(), arrivals.begin(), arrivals.end());
    return moves;
}

void DriverStage::make(const Cue& move) {
    Held& wait = const_cast<Held&>(static_cast<const Held&>(*move.wait));
    const bool to_register = wait.node == kOracle;
    switch (move.kind) {
        case Cue::Kind::send: to_register ? ask_register(wait) : send(wait); break;
        case Cue::Kind::take: to_register ? told_by_register(wait) : take_reply(wait); break;
        case Cue::Kind::wake:
            wait.told = true;
            if (wait.brings_back) {
                bring_back(wait.node);
            } else if (wait.extends) {
                extend(actors_[wait.client.value]);
            } else {
                wake(actors_[wait.client.value]);
            }
            break;
        case Cue::Kind::expire: expire(wait); break;
        case Cue::Kind::arrive:
            wait.in_network = false;
            to_register ? land(wait) : arrive(wait);
            break;
        case Cue::Kind::come:
            wait.reply_held = false;
            wait.answered = true;
            break;
    }
    tidy_up();
}

/// The timer of this task, before it is due. False: there is none.
bool DriverStage::fire(ClientId client, TaskId task) {
    const auto timer = std::ranges::find_if(waits_, [&](const auto& wait) {
        return wait->client == client && wait->task == task && wait->is_timer &&
               !wait->brings_back && !wait->told;
    });
    if (timer == waits_.end()) return false;
    make({Cue::Kind::wake, timer->get()});
    return true;
}

bool DriverStage::is_waiting(std::uint32_t id) const {
    return std::ranges::any_of(waits_,
                               [&](const auto& wait) { return wait->id == id && !wait->told; });
}

bool DriverStage::waits_for_network(ClientId client) const {
    return std::ranges::any_of(waits_, [&](const auto& wait) {
        const bool in_vain = wait->in_network && wait->due == Instant::max();
        return wait->client == client && wait->task.is_worker() && !wait->told &&
               (in_vain || wait->reply_held);
    });
}

void DriverStage::tidy_up() {
    for (std::size_t i = 0; i < waits_.size(); ++i) {
        Held& wait = *waits_[i];
        if (!std::exchange(wait.abandoned, false) || wait.over) continue;
        wait.in_network = false;
        arrive(wait);
    }
    prove();
    std::erase_if(waits_, [](const auto& wait) { return wait->told && !wait->in_network; });
}

/// Resumes stopped clients, lets watchdogs learn what they can, and then asks clients inside for
/// proof.
void DriverStage::end() {
    for (const Actor& actor : actors_) resume(actor.id());
    wants_proof_ = true;
    for (int i = 0; i < kLastMoves && wants_proof_; ++i) {
        const std::vector<Cue> all = moves();
        const auto move = std::ranges::find_if(all, [](const Cue& cue) {
            const bool is_network = cue.kind == Cue::Kind::arrive || cue.kind == Cue::Kind::come;
            return !cue.wait->task.is_worker() && !is_network;
        });
        move == all.end() ? tidy_up() : make(*move);
    }
}

Scene DriverStage::take_scene(Duration patience) {
    end();
    Scene scene;
    teller_->tell(*story_);
    scene.history = story_->finish();
    scene.history.patience = patience;
    const std::vector<Event>& events = scene.history.events;
    const auto place_of = [&](Instant at) {
        return static_cast<std::size_t>(std::ranges::upper_bound(events, at, {}, &Event::at) -
                                        events.begin());
    };
    for (Remark& remark : remarks_) remark.event = place_of(remark.at);
    for (KeySight& sight : sights_) {
        const std::size_t place = place_of(sight.at);
        sight.event = place == 0 ? 0 : place - 1;
    }
    scene.remarks = std::move(remarks_);
    scene.key = std::move(sights_);
    return scene;
}

}  // namespace locklab
