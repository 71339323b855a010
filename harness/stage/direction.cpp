// Performs each line of a script.

#include <algorithm>

#include "harness/stage/director.h"
#include "harness/stage/sentence_pattern.h"

namespace locklab {

bool matches(const Selector& selector, const Wait& wait) {
    if (wait.is_timer) return false;
    const bool to_oracle = wait.node == kOracle;
    if (selector.server && wait.node != *selector.server) return false;
    const std::string_view word = wait.command.script() != nullptr ? "EVAL"
                                  : wait.command.empty()           ? ""
                                                                   : wait.command[0];
    switch (selector.kind) {
        case Selector::Kind::acquire: return !to_oracle && wait.phase == Phase::acquire;
        case Selector::Kind::renewal: return !to_oracle && wait.phase == Phase::background;
        case Selector::Kind::release: return !to_oracle && wait.phase == Phase::release;
        case Selector::Kind::read: return to_oracle && word == "READ";
        case Selector::Kind::write: return to_oracle && word == "WRITE";
        case Selector::Kind::command:
            return !to_oracle && !word.empty() && command_meant(word) == selector.name;
    }
    return false;
}

void Director::perform(const Line& line) {
    using enum Line::Verb;
    switch (line.verb) {
        case time_passes: pass(line.amount); break;
        case redis_restarts: stage_->restart(line.amount, line.server); break;
        case redis_restores: stage_->restore(line.amount, line.server); break;
        case redis_hangs: stage_->hang(line.server); break;
        case redis_goes_on: let_go_on(line.server); break;
        case redis_clock_jumps: stage_->jump_server_clock(line.amount, line.server); break;
        case redis_evicts: stage_->evict(line.server); break;
        case redis_flushed: stage_->flush(line.server); break;
        case operator_deletes:
            stage_->remark(line.text);
            stage_->evict(NodeId{});
            break;
        case replica_cut_off: stage_->cut_off_replica(); break;
        case replica_takes_over: stage_->take_over(); break;
        case learns_master: stage_->learn(line.client); break;
        case pauses: stage_->pause(line.client); break;
        case resumes: stage_->resume(line.client); break;
        case crashes: stage_->crash(line.client); break;
        case watchdog_stalls: stage_->stall(line.client); break;
        case watchdog_resumes: stage_->unstall(line.client); break;
        case clock_jumps: stage_->jump_clock(line.client, line.amount); break;
        case cut_off: clients_[line.client.value].cut_off = true; break;
        case reachable: clients_[line.client.value].cut_off = false; break;
        case cut_off_from:
            clients_[line.client.value].cut_from.insert(line.server);
            stage_->cut(line.client, line.server);
            break;
        case reaches:
            clients_[line.client.value].cut_from.erase(line.server);
            stage_->heal(line.client, line.server);
            break;
        case loses_request:
            traps_.push_back({line.client, line.selector, CommandFault::lose_request});
            break;
        case loses_reply:
            traps_.push_back({line.client, line.selector, CommandFault::lose_reply});
            break;
        case delays: traps_.push_back({line.client, line.selector, CommandFault::delay}); break;
        case delays_reply:
            traps_.push_back({line.client, line.selector, CommandFault::delay_reply});
            break;
        case retries: traps_.push_back({line.client, line.selector, CommandFault::retry}); break;
        case gets_error: traps_.push_back({line.client, line.selector, CommandFault::error}); break;
        case is_reset:
            traps_.push_back({line.client, line.selector, CommandFault::reset_request});
            break;
        case reply_is_reset:
            traps_.push_back({line.client, line.selector, CommandFault::reset_reply});
            break;
        case arrives: let_arrive(line); break;
        case reply_arrives: let_reply_arrive(line); break;
        default: perform_on_client(line);
    }
}

void Director::perform_on_client(const Line& line) {
    using enum Line::Verb;
    const ClientId client = line.client;
    if (stage_->progress(client).gone) {
        pass_over(line, "it is gone");
        return;
    }
    clients_[client.value].stopped = false;
    switch (line.verb) {
        case gives_up: {
            if (!stage_->progress(client).wanting) {
                return pass_over(line, "it does not want the lock");
            }
            clients_[client.value].by_itself = false;
            clients_[client.value].rests = true;
            return stage_->rest(client);
        }
        case runs_until_before:
        case runs_until_after:
            clients_[client.value].stopped = true;
            run_to_command(line);
            return;
        case writes:
        case releases: run_to_release(line); return;
        default: break;
    }
    if (!comes_back(line)) return;
    const bool again = line.verb == takes_again;
    if (!again && !stage_->progress(client).wanting) clients_[client.value].by_itself = false;
    if (!again) enter(client);
    if (!again && !stage_->progress(client).wanting) {
        pass_over(line, "it has the lock");
        return;
    }
    const PlayStage::Progress before = stage_->progress(client);
    const auto granted = [&] { return stage_->progress(client).grants > before.grants; };
    const auto tried = [&] {
        return granted() || stage_->progress(client).refusals > before.refusals;
    };
    if (line.verb == waits) {
        clients_[client.value].by_itself = true;
        return;
    }
    if (!run(client, line.verb == tries ? Done(tried) : Done(granted))) {
        stage_->remark(scenario_.cast[client.value].name + " does not get it");
        return;
    }
}

bool Director::comes_back(const Line& line) {
    Client& client = clients_[line.client.value];
    if (!client.rests) return true;
    if (!stage_->come_back(line.client)) {
        pass_over(line, "it gave up, and is gone");
        return false;
    }
    client.rests = false;
    return true;
}

/// Runs to the command, or to the end of a try or release that never sends it.
void Director::run_to_command(const Line& line) {
    const ClientId client = line.client;
    if (!comes_back(line)) return;
    clients_[client.value].by_itself = false;
    const bool inside = stage_->started(client) && stage_->phase(client) == Phase::inside;
    const bool is_watchdogs = line.selector.kind == Selector::Kind::command &&
                              watchdogs_alone_.contains(line.selector.name);
    if (inside && is_watchdogs) {
        // Waiting for it would end the client's job first.
        return pass_over(line, "only its watchdog sends that, by itself, when it is due");
    }
    if (!inside) enter(client);
    const PlayStage::Progress before = stage_->progress(client);
    const bool oracle =
        line.selector.kind == Selector::Kind::read || line.selector.kind == Selector::Kind::write;
    const auto over = [&] {
        const PlayStage::Progress& now = stage_->progress(client);
        const bool job_over = oracle && stage_->phase(client) == Phase::release;
        return job_over || now.refusals > before.refusals || now.releases > before.releases ||
               (!oracle && now.grants > before.grants);
    };
    bool found = false;
    std::uint32_t wait = 0;
    run(client, over, [&](const Cue& move) {
        found = move.kind == Cue::Kind::send && matches(line.selector, *move.wait);
        if (found) wait = move.wait->id;
        return found;
    });
    if (!found) {
        pass_over(line, "it sends no such command here");
        return;
    }
    if (line.verb == Line::Verb::runs_until_before) {
        stage_->remark(line.text);
        return;
    }
    const auto answered = [&] { return !stage_->is_waiting(wait); };
    run(client, answered);
}

void Director::run_to_release(const Line& line) {
    const ClientId client = line.client;
    const Phase phase = stage_->started(client) ? stage_->phase(client) : Phase::idle;
    if (phase != Phase::inside && phase != Phase::release) {
        pass_over(line, "it does not have the lock");
        return;
    }
    const PlayStage::Progress before = stage_->progress(client);
    const bool only_write = line.verb == Line::Verb::writes;
    const auto done = [&] {
        const PlayStage::Progress& now = stage_->progress(client);
        return now.releases > before.releases || (only_write && now.writes > before.writes);
    };
    if (!run(client, done)) pass_over(line, "it waits for an answer");
}

void Director::let_arrive(const Line& line) {
    const bool arrived = make_first([&](const Cue& move) {
        return move.kind == Cue::Kind::arrive && move.wait->client == line.client &&
               matches(line.selector, *move.wait);
    });
    if (!arrived) pass_over(line, "there is no such request in the network");
}

/// What waited for the server arrives at once, the oldest first.
void Director::let_go_on(NodeId server) {
    stage_->go_on(server);
    const auto waited = [&](const Cue& move) {
        return move.kind == Cue::Kind::arrive && move.wait->node == server &&
               move.wait->fault == CommandFault::travels;
    };
    while (make_first(waited)) {
    }
}

/// Its client goes on at once, unless it is paused.
void Director::let_reply_arrive(const Line& line) {
    std::uint32_t wait = 0;
    const bool came = make_first([&](const Cue& move) {
        const bool meant = move.kind == Cue::Kind::come && move.wait->client == line.client &&
                           matches(line.selector, *move.wait);
        if (meant) wait = move.wait->id;
        return meant;
    });
    if (!came) return pass_over(line, "no such reply is in the network, or nobody waits for it");
    make_first([&](const Cue& move) { return move.wait->id == wait; });
}

}  // namespace locklab
