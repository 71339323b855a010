#include "harness/live/live_episode.h"

#include <utility>

#include "harness/live/server_program.h"

namespace locklab {

LiveEpisode::LiveEpisode(LiveConfig config, Key key, ServerKeeper& keeper)
    : run_(std::move(config), std::move(key), keeper),
      host_(*this, run_.config.topology.masters, run_.config.seed, run_.config.run),
      passed_over_(run_.config.workers(), run_.config.grants) {
    const LiveConfig& its = run_.config;
    LiveClient* process = nullptr;
    for (std::uint32_t i = 0; i < its.workers(); ++i) {
        const bool is_first = i % its.tasks == 0;
        clients_.push_back(
            std::make_unique<LiveClient>(ClientId{i}, host_, run_, is_first ? nullptr : process));
        if (is_first) process = clients_.back().get();
    }
    for (std::uint32_t i = 0; i < its.workers(); i += its.tasks) {
        locks_.push_back(make_locks(*its.algorithm, clients_[i]->machine(), run_.key,
                                    its_options(ClientId{i}, its.options, its.unequal),
                                    its.resources));
        for (std::uint32_t task = i; task < i + its.tasks; ++task) {
            clients_[task]->share_fate(std::span(clients_).subspan(i, its.tasks));
        }
    }
}

LiveEpisode::~LiveEpisode() { run_.reactor.forget(*this); }

void LiveEpisode::start(const std::vector<event::Fault>& before) {
    run_.active = run_.config.workers();
    run_.recorder.begin();
    for (const event::Fault& fault : before) {
        if (uses(fault.node)) note_fault(fault);
    }
    host_.begin(run_.recorder.clock_at(Instant()), run_.config.grants, run_.config.duration);
    run_.reactor.wake_after(run_.config.patience, *this, {});
    for (std::uint32_t i = 0; i < run_.config.workers(); ++i) {
        clients_[i]->start(locks_[i / run_.config.tasks]);
    }
}

LiveResult LiveEpisode::take_result() {
    LiveResult result;
    History& history = result.history;
    static_cast<HistoryHead&>(history) = head_of(run_.config, run_.key);
    history.world = "live";
    history.server = server_program().kind;
    history.seed = run_.config.seed;
    history.run = run_.config.run;
    history.end = run_.recorder.now();
    history.began = run_.recorder.began();
    history.draw = run_.config.draw;
    history.patience = run_.config.patience;
    history.threw = threw_;
    history.events = run_.recorder.take_events();
    result.grants = host_.grants();
    result.first_grant = first_grant_;
    result.last_grant = last_grant_;
    result.commands = run_.calls;
    result.disconnected = run_.disconnected;
    result.refused = run_.refused;
    result.server_lost = out_of_patience_ && run_.unanswered.any();
    return result;
}

void LiveEpisode::note_fault(const event::Fault& fault) {
    run_.recorder.note(ClientId{0}, Phase::idle, fault);
}

void LiveEpisode::let_learn(Duration amount) {
    const Duration within = run_.config.scale;
    for (const auto& client : clients_) {
        const std::int64_t q = host_.choices().pick(ChoiceKind::fault, kQuantiles);
        client->learn_after(amount + within / std::int64_t{kQuantiles} * q);
    }
}

void LiveEpisode::noted(ClientId client, Phase phase, EventDetail&& detail, ResourceId resource) {
    passed_over_.see(client, detail);
    if (std::holds_alternative<event::Finished>(detail)) --run_.active;
    if (const auto* granted = std::get_if<event::Granted>(&detail)) {
        run_.held[client.value] = granted->token;
        last_grant_ = run_.recorder.now();
        if (host_.grants() == 1) first_grant_ = last_grant_;
    }
    run_.recorder.note(client, phase, std::move(detail), resource);
}

void LiveEpisode::threw(TaskId task, const std::string& words) {
    if (threw_.empty()) threw_ = words;
    if (task.is_worker()) --run_.active;
}

std::optional<Duration> LiveEpisode::slow_job(ClientId client, std::uint32_t round) {
    const std::optional<Duration> length = run_.schedule.slow_job(client, round);
    if (length) {
        run_.recorder.note(client, Phase::inside, event::Fault{Hazard::slow_job, *length});
    }
    return length;
}

/// There is one alarm at a time: it is set again for the patience after the last grant.
void LiveEpisode::wake(const Reactor::Alarm&) {
    const Instant limit = last_grant_ + run_.config.patience;
    out_of_patience_ = run_.recorder.now() >= limit;
    if (!out_of_patience_) {
        run_.reactor.wake_at(run_.recorder.clock_at(limit), *this, {});
    }
}

}  // namespace locklab
