// The faults that a state offers, but for those of messages.

#include "harness/explore/expansion.h"

namespace locklab {

void Expansion::offer_client_faults(const State& state, std::vector<Successor>& out) const {
    for (std::uint8_t i = 0; i < rules_.bounds().clients; ++i) {
        const ClientPart& part = state.clients[i];
        if (part.node == ClientModel::kDone) continue;
        const auto struck = [&](Step::Kind kind, Hazard hazard) -> ClientPart& {
            out.push_back({state, {kind, i, 0, false, 0}});
            out.back().state.spend(hazard);
            return out.back().state.clients[i];
        };
        if (state.left(Hazard::clock_jump) > 0 && rules_.tells_time()) {
            const auto by = static_cast<std::int16_t>(times_.clock);
            struck(Step::Kind::clock_ahead, Hazard::clock_jump).clock += by;
            struck(Step::Kind::clock_back, Hazard::clock_jump).clock -= by;
        }
        // Who has not begun comes when he comes: to pause, or not to come at all, is no fault.
        if (part.node == ClientModel::kFirst) continue;
        if (state.left(Hazard::crash) > 0) {
            struck(Step::Kind::crash, Hazard::crash) = ClientPart();
            State& next = out.back().state;
            next.clients[i].crashed = 1;
            if (next.oracle == i + 1) next.oracle = 0;
        }
        if (state.left(Hazard::pause) > 0 && part.paused == 0) {
            struck(Step::Kind::pause, Hazard::pause).paused = times_.pause;
        }
        const bool has_background = clients_.at(part.node).waits[1].kind != LocalWait::Kind::none;
        if (state.left(Hazard::stall) > 0 && part.stalled == 0 && has_background) {
            struck(Step::Kind::stall, Hazard::stall).stalled = times_.pause;
        }
    }
}

void Expansion::offer_server_faults(const State& state, std::vector<Successor>& out) const {
    const auto struck = [&](Step::Kind kind, Hazard hazard) -> State& {
        out.push_back({state, {kind, 0, 0, false, 0}});
        out.back().state.spend(hazard);
        return out.back().state;
    };
    const ServerData data = state.server();
    if (state.left(Hazard::restart) > 0) {
        State& next = struck(Step::Kind::restart, Hazard::restart);
        next.set_server(ServerData());
        next.strays = {};
        for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) forget_replies(next.clients[i]);
    }
    if (state.left(Hazard::evict) > 0 && !(server_.evict(data) == data)) {
        struck(Step::Kind::evict, Hazard::evict).set_server(server_.evict(data));
    }
    if (state.left(Hazard::server_clock_jump) > 0 && data.remaining_ms != ServerData::kNever) {
        State& ahead = struck(Step::Kind::server_ahead, Hazard::server_clock_jump);
        ahead.set_server(server_.later(data, times_.clock));
        struck(Step::Kind::server_back, Hazard::server_clock_jump).remaining += times_.clock;
    }
}

/// The server is gone for a moment, and tells nobody what became of a command.
void Expansion::forget_replies(ClientPart& part) const {
    for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
        const bool sent = part.status[slot] != kUnsent &&
                          clients_.at(part.node).waits[slot].kind == LocalWait::Kind::redis;
        if (!sent) continue;
        part.status[slot] = static_cast<std::uint16_t>(kReplied + clients_.unknown());
        part.due[slot] = 0;
    }
}

}  // namespace locklab
