#include "harness/explore/rules.h"

#include <algorithm>

#include "harness/explore/expansion.h"

namespace locklab {

namespace {

std::uint16_t ms_of(Duration duration) {
    const std::int64_t ms = duration / std::chrono::milliseconds(1);
    LOCKLAB_ASSERT(ms >= 0 && ms <= Bounds::kLongest / std::chrono::milliseconds(1));
    return static_cast<std::uint16_t>(ms);
}

}  // namespace

Times::Times(const Bounds& bounds)
    : timeout(ms_of(bounds.command_timeout)),
      pause(ms_of(bounds.pause)),
      delay(ms_of(bounds.delay)),
      clock(ms_of(bounds.clock)) {}

Rules::Rules(const Algorithm& algorithm, const Bounds& bounds)
    : bounds_(bounds), times_(bounds), clients_(algorithm, bounds_), server_(clients_) {}

std::vector<Successor> Rules::initial() const {
    std::vector<Successor> all(1);
    State& calm = all[0].state;
    for (const HazardRow& row : kHazards) {
        calm.budget[static_cast<std::size_t>(row.hazard)] =
            static_cast<std::uint8_t>(bounds_.faults[row.hazard]);
    }
    const auto off = static_cast<std::int16_t>(times_.clock);
    for (std::uint8_t i = 0; i < bounds_.clients; ++i) {
        for (std::size_t k = all.size(); k-- > 0;) {
            for (const std::int16_t by : {off, static_cast<std::int16_t>(-off)}) {
                if (all[k].state.left(Hazard::clock_offset) == 0) continue;
                Successor other = all[k];
                other.state.clients[i].clock = by;
                other.state.spend(Hazard::clock_offset);
                all.push_back(other);
            }
        }
    }
    for (Successor& start : all) {
        for (std::uint8_t i = 0; i < bounds_.clients; ++i) {
            ClientPart& part = start.state.clients[i];
            part.node = ClientModel::kFirst;
        }
    }
    return all;
}

void Rules::expand(const State& state, std::vector<Successor>& out) {
    const bool complete = Expansion(*this, this).run(state, out);
    LOCKLAB_ASSERT(complete);
}

bool Rules::expand_known(const State& state, std::vector<Successor>& out) const {
    return Expansion(*this, nullptr).run(state, out);
}

bool Rules::is_violated(const State& state) const {
    std::uint32_t inside = 0;
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
        inside += clients_.at(state.clients[i].node).inside ? 1 : 0;
    }
    return inside > 1;
}

bool Rules::is_at_rest(const State& state) const {
    if (state.strays[0].slot_plus_1 != 0) return false;
    const auto rests = [this](const ClientPart& part) {
        const std::array<LocalWait, kSlots>& waits = clients_.at(part.node).waits;
        const bool waits_only = waits[0].lazy && waits[1].kind == LocalWait::Kind::none;
        return part.node == ClientModel::kDone || waits_only;
    };
    return std::all_of(state.clients.begin(), state.clients.begin() + bounds_.clients, rests);
}

}  // namespace locklab
