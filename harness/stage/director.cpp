#include "harness/stage/director.h"

#include <algorithm>
#include <utility>

#include "harness/core/limits.h"

namespace locklab {

namespace {

/// A job reads the register as soon as it has the lock.
bool reads(const Wait& wait) {
    return wait.node == kOracle && !wait.command.empty() && wait.command[0] == "READ";
}

/// A move of the network needs no client, and waits for its line.
bool is_of_network(const Cue& move) {
    return move.kind == Cue::Kind::arrive || move.kind == Cue::Kind::come;
}

}  // namespace

Director::Director(const Scenario& scenario, Duration patience,
                   std::set<std::string> watchdogs_alone)
    : scenario_(scenario),
      patience_(patience),
      watchdogs_alone_(std::move(watchdogs_alone)),
      clients_(scenario.cast.size()) {}

void Director::play(PlayStage& stage) {
    stage_ = &stage;
    for (const Line& line : scenario_.script) {
        perform(line);
        move_by_itself();
    }
    finish();
}

bool Director::make_first(const Wanted& wanted) {
    const std::vector<Cue> moves = stage_->moves();
    auto found = std::find_if(moves.begin(), moves.end(), wanted);
    if (found == moves.end()) return false;
    // At the end clients leave one after the other, in the order of the cast.
    for (auto move = found; finale_ && move != moves.end(); ++move) {
        if (wanted(*move) && move->wait->client < found->wait->client) found = move;
    }
    if (++moves_ > kMostMoves) {
        throw BoundHit(scenario_.name + " with " + std::string(stage_->algorithm()) +
                       " is not over after " + std::to_string(kMostMoves) +
                       " moves; right would be shorter times, or a longer 'retry'");
    }
    stage_->make(*found);
    return true;
}

bool Director::is_by_itself(const Wait& wait) const {
    if (!wait.task.is_worker() || reads(wait)) return true;
    const PlayStage::Progress& progress = stage_->progress(wait.client);
    const Role& role = scenario_.cast[wait.client.value];
    const bool at_work = stage_->phase(wait.client) == Phase::inside;
    // A job with a length of its own ends without a line.
    if (at_work && role.job > Duration::zero() && !clients_[wait.client.value].stopped) return true;
    if (finale_) return stage_->phase(wait.client) != Phase::idle || progress.wanting;
    return clients_[wait.client.value].by_itself && progress.wanting;
}

void Director::move_by_itself() {
    while (make_first(
        [&](const Cue& move) { return !is_of_network(move) && is_by_itself(*move.wait); })) {
    }
}

bool Director::run(ClientId client, const Done& done) {
    return run(client, done, [](const Cue&) { return false; });
}

bool Director::run(ClientId client, const Done& done, const Wanted& stop_before) {
    const Instant limit = std::max(stage_->time(), stage_->last_grant()) + patience_;
    const auto is_worker = [&](const Wait& wait) {
        return wait.client == client && wait.task.is_worker();
    };
    for (;;) {
        move_by_itself();
        if (done()) return true;
        if (stage_->progress(client).gone) return false;
        bool stopped = false;
        const bool moved = make_first([&](const Cue& move) {
            const bool is_next = !is_of_network(move) && is_worker(*move.wait);
            stopped = stopped || (is_next && stop_before(move));
            return is_next && !stopped;
        });
        if (stopped) return true;
        if (moved) continue;
        if (stage_->waits_for_network(client)) return true;
        const auto due = stage_->next_due(
            [&](const Wait& wait) { return is_worker(wait) || is_by_itself(wait); });
        if (!due || *due > limit) return false;
        if (stage_->waits_for_lock(client)) stage_->script_waits_until(*due);
        stage_->pass_until(*due);
    }
}

void Director::pass(Duration time) {
    const Instant end = stage_->time() + time;
    stage_->script_waits_until(end);
    for (;;) {
        move_by_itself();
        const auto due = stage_->next_due([&](const Wait& wait) { return is_by_itself(wait); });
        if (!due || *due > end) break;
        stage_->pass_until(*due);
    }
    stage_->pass_until(end);
}

void Director::enter(ClientId client) {
    if (!stage_->started(client)) {
        stage_->start(client);
        return;
    }
    const std::uint32_t wants = stage_->progress(client).wants;
    if (stage_->phase(client) != Phase::idle) return;
    run(client, [&] { return stage_->progress(client).wants > wants; });
}

CommandFault Director::on_send(const Wait& wait) {
    const auto trap = std::find_if(traps_.begin(), traps_.end(), [&](const Trap& set) {
        return set.client == wait.client && matches(set.selector, wait);
    });
    if (trap != traps_.end()) {
        const CommandFault fault = trap->fault;
        traps_.erase(trap);
        return fault;
    }
    const Client& client = clients_[wait.client.value];
    const bool cut_off =
        client.cut_from.contains(wait.node) || (client.cut_off && wait.node != kOracle);
    return cut_off ? CommandFault::lose_request : CommandFault::none;
}

void Director::pass_over(const Line& line, const std::string& why) {
    const std::string text = "passed over '" + line.text + "': " + why;
    stage_->remark(text);
    passed_over_.push_back(text);
}

/// Holds nothing back any more: all started work comes to its end.
void Director::finish() {
    finale_ = true;
    const Instant began = stage_->time();
    for (const Trap& trap : traps_) {
        const std::string name = scenario_.cast[trap.client.value].name;
        passed_over_.push_back("no fault for " + name + ": it never sent that command");
        stage_->remark(passed_over_.back());
    }
    traps_.clear();
    for (std::uint32_t i = 0; i < stage_->clients(); ++i) {
        clients_[i].cut_off = false;
        for (const NodeId server : clients_[i].cut_from) stage_->heal(ClientId{i}, server);
        clients_[i].cut_from.clear();
        if (clients_[i].rests) stage_->go_home(ClientId{i});
        stage_->resume(ClientId{i});
        stage_->unstall(ClientId{i});
    }
    const auto all_done = [&] {
        for (std::uint32_t i = 0; i < stage_->clients(); ++i) {
            const ClientId client{i};
            const bool rests = !stage_->started(client) || stage_->progress(client).gone ||
                               stage_->phase(client) == Phase::idle;
            if (!rests) return false;
        }
        return true;
    };
    for (;;) {
        move_by_itself();
        if (make_first(is_of_network)) continue;
        if (all_done()) break;
        const Instant limit = std::max(began, stage_->last_grant()) + patience_;
        const auto due = stage_->next_due([&](const Wait& wait) { return is_by_itself(wait); });
        if (!due || *due > limit) {
            stage_->pass_until(limit);
            return;
        }
        stage_->pass_until(*due);
    }
    stage_->close();
    while (make_first([](const Cue& move) { return move.wait->task.is_worker(); })) {
    }
}

}  // namespace locklab
