#include "harness/stage/stage.h"

#include <algorithm>

#include "harness/store/redis/key_shadow.h"

namespace locklab {

namespace {

StageConfig with_tape(StageConfig config) {
    config.taped = true;
    return config;
}

}  // namespace

Stage::Stage(StageConfig config, StageWorld& world, CommandFaults& faults)
    : config_(with_tape(std::move(config))),
      world_(world),
      faults_(faults),
      clients_(config_.clients),
      cluster_(config_, *this, static_cast<RemoteStore&>(*this)) {
    LOCKLAB_ASSERT(config_.roles.size() == config_.clients);
    world_.begin(*config_.algorithm);
    for (std::uint32_t i = 0; i < config_.clients; ++i) {
        const Duration offset = config_.roles[i].clock_offset;
        if (offset == Duration::zero()) continue;
        cluster().strike(ClientId{i}, PlannedFault{Hazard::clock_offset, {}, offset});
    }
}

Cluster& Stage::cluster() {
    cluster_.pass_to(world_.now());
    return cluster_;
}

void Stage::start(ClientId id) {
    clients_[id.value].started = true;
    cluster().start(id, config_.roles[id.value].workload);
}

bool Stage::is_awake(const Wait& wait) const {
    const Client& client = clients_[wait.client.value];
    const bool stalled = !wait.task.is_worker() && client.stalled.has_value();
    return !client.paused && !stalled &&
           cluster_.machine(wait.client).waits_for(wait.task, wait.ticket);
}

std::optional<Cue::Kind> Stage::move_of(const Wait& wait) {
    const bool in_line = !wait.is_timer && cluster_.message(wait.message).in_line;
    const bool may_arrive = wait.told || !is_awake(wait) || world_.now() < wait.due ||
                            wait.fault == CommandFault::travels;
    const bool waits = !wait.is_timer && hung_.contains(wait.node);
    if (wait.in_network && !in_line && may_arrive && !waits) return Cue::Kind::arrive;
    if (wait.reply_held && (!is_awake(wait) || world_.now() < wait.due)) return Cue::Kind::come;
    if (wait.told || !is_awake(wait)) return std::nullopt;
    if (wait.is_timer) {
        if (world_.now() < wait.due) return std::nullopt;
        return Cue::Kind::wake;
    }
    if (!wait.sent) {
        const bool hangs = hung_.contains(wait.node);
        if (cluster_.waits_behind_another(wait.message) && !hangs) return std::nullopt;
        return Cue::Kind::send;
    }
    if (wait.answered) return Cue::Kind::take;
    if (world_.now() >= wait.due) return Cue::Kind::expire;
    return std::nullopt;
}

/// A request that is on its way may arrive at the very moment at which its client gives up, before
/// that. In real time this moment is always over.
bool Stage::may_come_in_time(const Wait& wait) {
    const bool is_now = world_.now() == wait.due || world_.worst_lag() > Duration::zero();
    return is_now && wait.in_network && !cluster_.message(wait.message).in_line &&
           !hung_.contains(wait.node);
}

std::vector<Cue> Stage::moves() {
    std::vector<Cue> moves;
    std::vector<Cue> arrivals;
    for (const auto& wait : waits_) {
        const auto kind = move_of(*wait);
        if (!kind) continue;
        const bool late = (*kind == Cue::Kind::arrive && wait->fault == CommandFault::delay) ||
                          *kind == Cue::Kind::come;
        (late ? arrivals : moves).push_back({*kind, wait.get()});
        if (kind == Cue::Kind::expire && may_come_in_time(*wait)) {
            arrivals.push_back({Cue::Kind::arrive, wait.get()});
        }
    }
    moves.insert(moves.end(), arrivals.begin(), arrivals.end());
    return moves;
}

void Stage::step(Choices& choices) {
    const std::vector<Cue> all = moves();
    LOCKLAB_ASSERT(!all.empty());
    make(all[choices.pick(ChoiceKind::next_event, static_cast<std::uint32_t>(all.size()))]);
}

void Stage::make(const Cue& move) {
    Wait& wait = const_cast<Wait&>(*move.wait);
    switch (move.kind) {
        case Cue::Kind::send: send(wait); break;
        case Cue::Kind::take: tell(wait, MoveKind::deliver); break;
        case Cue::Kind::wake: tell(wait, MoveKind::fire); break;
        case Cue::Kind::expire: expire(wait); break;
        case Cue::Kind::arrive:
            wait.in_network = false;
            execute(wait);
            break;
        case Cue::Kind::come:
            wait.reply_held = false;
            wait.answered = true;
            break;
    }
    forget_done();
}

bool Stage::wake_early(ClientId client) {
    const auto timer = std::find_if(waits_.begin(), waits_.end(), [&](const auto& wait) {
        return wait->client == client && wait->task.is_worker() && wait->is_timer && !wait->told;
    });
    if (timer == waits_.end()) return false;
    tell(**timer, MoveKind::fire);
    forget_done();
    return true;
}

std::optional<Duration> Stage::slow_job(ClientId client, std::uint32_t) {
    return std::exchange(clients_[client.value].next_job, {});
}

void Stage::tell(Wait& wait, MoveKind kind) {
    wait.told = true;
    wait.reply_held = false;
    cluster().apply(move_of(kind, wait));
}

std::optional<Instant> Stage::next_due(const Counts& counts) const {
    std::optional<Instant> next;
    for (const auto& wait : waits_) {
        if (wait->told || wait->due == Instant::max() || !is_awake(*wait) || !counts(*wait)) {
            continue;
        }
        if (!next || wait->due < *next) next = wait->due;
    }
    return next;
}

bool Stage::is_waiting(std::uint32_t id) const {
    return std::any_of(waits_.begin(), waits_.end(),
                       [&](const auto& wait) { return wait->id == id && !wait->told; });
}

bool Stage::waits_for_network(ClientId client) const {
    return std::any_of(waits_.begin(), waits_.end(), [&](const auto& wait) {
        const bool in_vain = wait->in_network && wait->due == Instant::max();
        return wait->client == client && wait->task.is_worker() && (in_vain || wait->reply_held);
    });
}

void Stage::pass_until(Instant at) {
    world_.wait_until(at);
    look();
}

void Stage::noted(const Event& event) {
    Progress& progress = clients_[event.client.value].progress;
    const EventDetail& detail = event.detail;
    if (std::holds_alternative<event::Wants>(detail)) {
        ++progress.wants;
        progress.wanting = true;
        progress.refused = progress.unanswered = false;
    } else if (const auto* refused = std::get_if<event::Refused>(&detail)) {
        ++progress.refusals;
        progress.refused = !refused->unsure;
        progress.unanswered = refused->unsure;
    } else if (std::holds_alternative<event::Failed>(detail)) {
        ++progress.refusals;
        progress.refused = false;
        progress.unanswered = true;
    } else if (std::holds_alternative<event::Granted>(detail)) {
        ++progress.grants;
        progress.wanting = progress.refused = progress.unanswered = false;
    } else if (std::holds_alternative<event::Wrote>(detail)) {
        ++progress.writes;
    } else if (std::holds_alternative<event::Released>(detail)) {
        ++progress.releases;
    } else if (std::holds_alternative<event::Finished>(detail)) {
        progress.gone = true;
    }
}

void Stage::remark(std::string text) {
    scene_.remarks.push_back({events(), world_.now(), std::move(text)});
}

Scene Stage::take_scene(Duration patience) {
    History& history = scene_.history;
    history = cluster().take_history();
    history.world = world_.name();
    history.patience = patience;
    history.not_modelled = world_.not_modelled();
    tell_effects(history);
    return std::move(scene_);
}

}  // namespace locklab
