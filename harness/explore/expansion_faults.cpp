// The faults that a state offers, and the effects of client and server faults.

#include <algorithm>
#include <bit>

#include "harness/explore/expansion.h"
#include "harness/explore/step_text.h"

namespace locklab {

/// Makes each take step, since only then is it known whether the reply begins a job.
void Expansion::offer_slow_jobs(const State& state, std::vector<Step>& steps) {
    if (environments_.at(state.environment).budget.left(Hazard::slow_job) == 0) return;
    const std::size_t calm = steps.size();
    for (std::size_t k = 0; k < calm; ++k) {
        Step step = steps[k];
        if (step.kind != Step::Kind::take) continue;
        State after = state;
        make(after, step);
        if (!complete_) return;
        step.slow = true;
        if (row(after, step.client).begins_job) steps.push_back(step);
    }
}

void Expansion::offer_message_faults(const State& state, std::vector<Step>& steps) const {
    using enum Step::Kind;
    for (const Step::Kind fault : kCommandFaults) {
        if (!may(state, fault)) continue;
        for (std::uint8_t i = 0; i < rules_.bounds().clients; ++i) {
            const ClientRow& own = row(state, i);
            for (std::uint8_t slot = 0; slot < client_table_.slots(); ++slot) {
                const bool sends = offered(state, i, slot) == send;
                if (!sends || own.is_to_oracle(task_of(slot))) continue;
                // Nothing gets there anyhow.
                if (is_cut(state, i, slot)) continue;
                // A server that hangs runs nothing now whose reply could be lost, or late.
                const bool runs = !loses_request(fault) && fault != delay;
                if (runs && hangs(state, slot)) continue;
                // A server that is down refuses anyhow.
                const bool is_down = servers(state)[server_of(slot)].down > 0;
                if (is_down && is_told_at_once(hazard_of(fault))) continue;
                const Command& command = clients_.command(own.command[task_of(slot)]);
                if (fault == noscript && !can_answer(ErrorKind::noscript, command)) continue;
                steps.push_back({fault, i, slot, false, 0});
            }
        }
    }
}

void Expansion::offer_client_faults(const State& state, std::vector<Step>& steps) const {
    using enum Step::Kind;
    for (std::uint8_t i = 0; i < rules_.bounds().clients; ++i) {
        const ClientRow& own = row(state, i);
        if (own.done) continue;
        const auto offer_if = [&](bool can, Step::Kind kind) {
            if (can && may(state, kind)) steps.push_back({kind, i, 0, false, 0});
        };
        offer_if(true, clock_ahead);
        offer_if(true, clock_back);
        // A client that has not begun may begin at any time, or never: other faults add nothing to
        // that.
        if (!own.begun) continue;
        offer_if(true, crash);
        offer_if(!own.paused, pause);
        offer_if(own.can_stall, stall);
    }
}

void Expansion::offer_server_faults(const State& state, std::vector<Step>& steps) const {
    using enum Step::Kind;
    const bool has_replica = servers(state).back().follows();
    if (has_replica) steps.push_back({failover, 0, 0, false, 0});
    for (std::uint8_t i = 0; i < rules_.nodes(); ++i) {
        if (servers(state)[i].follows()) continue;
        const auto offer_if = [&](bool can, Step::Kind kind) {
            const Step::Kind spends = kind == save ? restore : kind;
            if (can && may(state, spends)) steps.push_back({kind, 0, i, false, 0});
        };
        const ServerState& server = servers(state)[i];
        const bool is_empty = !server.data.has_keys();
        const bool is_hung = server.hung > 0;
        offer_if(true, restart);
        // Without saved data, or with data saved while empty, the server comes back empty.
        offer_if(!server.has_saved() && !is_empty && !is_hung, save);
        offer_if(true, restore);
        // A lock that is not on Redis must not mind any loss there, so these are always offered.
        const bool elsewhere = !rules_.is_on_redis();
        const std::uint64_t keys = elsewhere ? 1 : server_.keys_in(server.data.shape);
        const bool evicts = may(state, evict) && !is_hung;
        for (std::uint64_t left = evicts ? keys : 0; left != 0; left &= left - 1) {
            const auto key = static_cast<std::uint16_t>(std::countr_zero(left));
            steps.push_back({evict, 0, i, false, key});
        }
        offer_if((elsewhere || !is_empty) && !is_hung, flush);
        offer_if(elsewhere || !is_empty, server_ahead);
        offer_if(elsewhere || !is_empty, server_back);
        offer_if(!is_hung && server.down == 0, freeze);
    }
}

void Expansion::strike(State& state, const Step& step) {
    if (const auto hazard = hazard_of(step)) spend(state, *hazard);
    if (is_of_client(step.kind)) {
        const bool is_gone = step.kind == Step::Kind::crash;
        const std::uint16_t left = is_gone ? leave_connections(state, step) : std::uint16_t{0};
        return change(state, step.client, {step.kind, 0, false, left});
    }
    const std::uint32_t struck =
        step.kind == Step::Kind::failover ? rules_.bounds().servers : step.slot;
    ServerState server = servers_.at(state.servers[struck]);
    switch (step.kind) {
        using enum Step::Kind;
        case restart:
        case restore:
            server.data = step.kind == restore && server.has_saved() ? server.saved : ServerData();
            if (step.kind == restore) server.forget_saved();
            if (step.kind == restart) server.down = std::max(server.down, rules_.times_.outage);
            server.hung = 0;
            server.queue = 0;
            for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) {
                const auto slot = static_cast<std::uint8_t>(slot_of(0, step.slot));
                if (state.clients[i] != ClientTable::kDone) change(state, i, {restart, slot});
            }
            break;
        case freeze: server.hung = rules_.times_.pause; break;
        case thaw: server.hung = 0; break;
        case save: server.save(); break;
        case back: server.down = 0; break;
        case failover: server.data = servers(state).front().data.keys_only(); break;
        case evict: evict_key(server.data, step.ms); break;
        case flush: evict_key(server.data, ServerModel::kEveryKey); break;
        case server_ahead: shift(server, rules_.times_.clock); break;
        case server_back: shift(server, -std::int32_t{rules_.times_.clock}); break;
        default: break;
    }
    set(state, struck, server);
}

void Expansion::evict_key(ServerData& data, std::uint16_t key) {
    const std::optional<ServerData> evicted =
        teacher_ == nullptr ? server_.known_evicted(data, key)
                            : std::optional(teacher_->server.evicted(data, key));
    complete_ = complete_ && evicted.has_value();
    if (evicted) data = *evicted;
}

bool Expansion::has_ttl(const State& state) const {
    return std::ranges::any_of(servers(state),
                               [](const ServerState& server) { return server.data.has_ttl(); });
}

void Expansion::cover(const State& state, Successors& out) const {
    Coverage& coverage = out.coverage;
    cover_keys(state, coverage);
    bool of_lock = false;
    bool of_others = false;
    for (const ServerState& server : servers(state)) {
        of_lock = of_lock || server.data.remaining_ms != ServerData::kNever;
        of_others = of_others || server.data.others != 0;
    }
    for (std::size_t i = 0; i < calm_; ++i) {
        const bool asks_lock = of_lock && !coverage.ran_out_inside;
        if (!asks_lock && !(of_others && !coverage.other_ran_out)) break;
        cover_passing(state, out.steps[i], coverage);
    }
    for (std::size_t i = calm_; i < out.steps.size(); ++i) {
        cover_fault(state, out.steps[i], coverage);
    }
    cover_refused(state, coverage);
}

/// Covers the clients that have just been refused a lock that can be shared.
void Expansion::cover_refused(const State& state, Coverage& coverage) const {
    if (!rules_.is_shared()) return;
    const Crowd inside = rules_.inside(state);
    for (std::uint32_t k = 0; k < rules_.bounds().clients; ++k) {
        const bool refused = row(state, k).refused;
        if (refused) coverage.refuse(rules_.modes_[k], inside, rules_.algorithm_.permits);
    }
}

/// Covers times to live that are set, or expire as time passes.
void Expansion::cover_passing(const State& state, const Step& step, Coverage& coverage) const {
    const bool passes = step.kind == Step::Kind::pass;
    bool runs_out = false;
    for (const ServerState& server : servers(state)) {
        const std::uint16_t lock = server.data.remaining_ms;
        const std::uint16_t other = server_.first_of_others(server.data);
        coverage.sets_ttl = coverage.sets_ttl || lock != ServerData::kNever;
        const bool outlives = passes && other != ServerData::kNever;
        coverage.sets_other_ttl = coverage.sets_other_ttl || outlives;
        runs_out = runs_out || (passes && lock < step.ms);
        coverage.other_ran_out = coverage.other_ran_out || (passes && other < step.ms);
    }
    if (!runs_out) return;
    coverage.ran_out = true;
    for (std::uint32_t k = 0; k < rules_.bounds().clients; ++k) {
        coverage.ran_out_inside = coverage.ran_out_inside || row(state, k).inside;
    }
}

/// Whether an eviction may strike what no search lets it strike.
void Expansion::cover_keys(const State& state, Coverage& coverage) const {
    if (!may(state, Step::Kind::evict)) return;
    for (const ServerState& server : servers(state)) {
        if (!server.follows()) coverage.add_unlisted(server_.unlisted_in(server.data.shape));
    }
}

void Expansion::cover_step(const State& state, const Step& step, Coverage& coverage) const {
    cover_keys(state, coverage);
    cover_passing(state, step, coverage);
    cover_fault(state, step, coverage);
    cover_refused(state, coverage);
    if (!is_of_client(step.kind)) return;
    const ClientRow& own = row(state, step.client);
    const std::uint32_t task = task_of(step.slot);
    const bool sends =
        offered(state, step.client, step.slot) == Step::Kind::send && !own.is_to_oracle(task);
    const bool is_sending = step.kind == Step::Kind::send || is_command_fault(step.kind);
    // What is answered with an error, or gets nowhere, has done nothing.
    const bool is_lost = sends && is_cut(state, step.client, step.slot);
    if (!sends || !is_sending || is_lost || error_of(step.kind)) return;
    coverage.sent.insert({shape_of(clients_.command(own.command[task])), own.phase[task]});
}

/// A server fault strikes every client in its current phase.
void Expansion::cover_fault(const State& state, const Step& step, Coverage& coverage) const {
    const std::optional<Hazard> hazard = hazard_of(step);
    if (!hazard) return;
    if (is_of_client(step.kind)) {
        const bool stall = step.kind == Step::Kind::stall;
        coverage.strike(*hazard,
                        step.slow ? Phase::inside
                                  : row(state, step.client).phase[stall ? 1 : task_of(step.slot)]);
        return;
    }
    for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) {
        coverage.strike(*hazard, row(state, i).phase[0]);
    }
}

}  // namespace locklab
