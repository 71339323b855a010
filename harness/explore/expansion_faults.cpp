// The faults that a state offers, and what those of clients and server do.

#include <array>

#include "harness/explore/expansion.h"
#include "harness/explore/step_text.h"

namespace locklab {

/// Whether the reply that a client takes begins a job is known only once it has been taken.
void Expansion::offer_slow_jobs(const State& state, std::vector<Step>& steps) {
    if (settings_.at(state.setting).budget.left(Hazard::slow_job) == 0) return;
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
    struct Fault {
        Hazard hazard;
        Step::Kind kind;
    };
    constexpr std::array<Fault, 4> kFaults{{{Hazard::lose_request, Step::Kind::lose_request},
                                            {Hazard::lose_reply, Step::Kind::lose_reply},
                                            {Hazard::retry, Step::Kind::retry},
                                            {Hazard::delay_request, Step::Kind::delay}}};
    const Budgets& budget = settings_.at(state.setting).budget;
    for (const Fault& fault : kFaults) {
        if (budget.left(fault.hazard) == 0) continue;
        for (std::uint8_t i = 0; i < rules_.bounds().clients; ++i) {
            const PartRow& own = row(state, i);
            for (std::uint8_t slot = 0; slot < kSlots; ++slot) {
                if (own.offer[slot] != Step::Kind::send || own.is_to_oracle(slot)) continue;
                steps.push_back({fault.kind, i, slot, false, 0});
            }
        }
    }
}

void Expansion::offer_client_faults(const State& state, std::vector<Step>& steps) const {
    const Budgets& budget = settings_.at(state.setting).budget;
    for (std::uint8_t i = 0; i < rules_.bounds().clients; ++i) {
        const PartRow& own = row(state, i);
        if (own.done) continue;
        const auto offer_if = [&](bool can, Step::Kind kind) {
            if (can) steps.push_back({kind, i, 0, false, 0});
        };
        const bool jumps = budget.left(Hazard::clock_jump) > 0 && rules_.tells_time();
        offer_if(jumps, Step::Kind::clock_ahead);
        offer_if(jumps, Step::Kind::clock_back);
        // Who has not begun comes when he comes: to pause, or not to come at all, is no fault.
        if (!own.begun) continue;
        offer_if(budget.left(Hazard::crash) > 0, Step::Kind::crash);
        offer_if(budget.left(Hazard::pause) > 0 && !own.paused, Step::Kind::pause);
        offer_if(budget.left(Hazard::stall) > 0 && own.can_stall, Step::Kind::stall);
    }
}

void Expansion::offer_server_faults(const State& state, std::vector<Step>& steps) const {
    const Budgets& budget = settings_.at(state.setting).budget;
    const auto offer_if = [&](bool can, Step::Kind kind) {
        if (can) steps.push_back({kind, 0, 0, false, 0});
    };
    const Setting& setting = settings_.at(state.setting);
    const ServerData data = setting.server;
    offer_if(budget.left(Hazard::restart) > 0, Step::Kind::restart);
    // What is not taken down, or is while nothing is there, comes back empty.
    const bool restores = budget.left(Hazard::restart_snapshot) > 0;
    offer_if(restores && !setting.has_saved() && data != ServerData(), Step::Kind::save);
    offer_if(restores, Step::Kind::restore);
    offer_if(budget.left(Hazard::evict) > 0 && rules_.server_.evict(data) != data,
             Step::Kind::evict);
    const bool jumps =
        budget.left(Hazard::server_clock_jump) > 0 && data.remaining_ms != ServerData::kNever;
    offer_if(jumps, Step::Kind::server_ahead);
    offer_if(jumps, Step::Kind::server_back);
}

void Expansion::strike(State& state, const Step& step) {
    const ServerModel& model = rules_.server_;
    Setting setting = settings_.at(state.setting);
    ServerData& server = setting.server;
    if (step.kind != Step::Kind::save) setting.budget.spend(*hazard_of(step));
    switch (step.kind) {
        using enum Step::Kind;
        case restart:
        case restore:
            server = step.kind == restore && setting.has_saved() ? setting.saved : ServerData();
            if (step.kind == restore) setting.forget_saved();
            for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) {
                if (state.clients[i] != PartTable::kDone) change(state, i, {restart});
            }
            break;
        case save: setting.saved = server; break;
        case evict: server = model.evict(server); break;
        case server_ahead: server = model.later(server, rules_.times_.clock); break;
        case server_back: {
            const std::uint32_t left = server.remaining_ms + std::uint32_t{rules_.times_.clock};
            LOCKLAB_ASSERT(left < ServerData::kNever);
            server.remaining_ms = static_cast<std::uint16_t>(left);
            break;
        }
        default: change(state, step.client, {step.kind});
    }
    set(state, setting);
}

}  // namespace locklab
