// The faults that a state offers, but for those of messages, and what they do.

#include "harness/explore/expansion.h"
#include "harness/explore/step_text.h"

namespace locklab {

void Expansion::offer_client_faults(const State& state, std::vector<Step>& steps) const {
    const Budgets& budget = state.budget;
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
        offer_if(budget.left(Hazard::pause) > 0 && own.part.paused == 0, Step::Kind::pause);
        offer_if(budget.left(Hazard::stall) > 0 && own.part.stalled == 0 && own.has_background,
                 Step::Kind::stall);
    }
}

void Expansion::offer_server_faults(const State& state, std::vector<Step>& steps) const {
    const Budgets& budget = state.budget;
    const auto offer_if = [&](bool can, Step::Kind kind) {
        if (can) steps.push_back({kind, 0, 0, false, 0});
    };
    const ServerData data = state.server();
    offer_if(budget.left(Hazard::restart) > 0, Step::Kind::restart);
    offer_if(budget.left(Hazard::evict) > 0 && server_.evict(data) != data, Step::Kind::evict);
    const bool jumps =
        budget.left(Hazard::server_clock_jump) > 0 && data.remaining_ms != ServerData::kNever;
    offer_if(jumps, Step::Kind::server_ahead);
    offer_if(jumps, Step::Kind::server_back);
}

void Expansion::strike(State& state, const Step& step) {
    state.budget.spend(*hazard_of(step));
    switch (step.kind) {
        using enum Step::Kind;
        case restart:
            state.set_server(ServerData());
            change_all(state, {step.kind, 0, false, 0});
            break;
        case evict: state.set_server(server_.evict(state.server())); break;
        case server_ahead:
            state.set_server(server_.later(state.server(), rules_.times_.clock));
            break;
        case server_back:
            state.remaining = static_cast<std::uint16_t>(state.remaining + rules_.times_.clock);
            break;
        default: change(state, step.client, {step.kind, 0, false, 0});
    }
}

}  // namespace locklab
