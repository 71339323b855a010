#include "harness/explore/client_state.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace locklab {

ClientState gone(const ClientState& state) {
    ClientState after;
    after.late = state.late;
    return after;
}

bool is_waited_for(const ClientState& state, const LocalWait& wait, const LateRequest& late) {
    if (late.slot_plus_1 == 0 || wait.kind != LocalWait::Kind::redis) return false;
    const std::uint32_t slot = late.slot_plus_1 - 1U;
    return task_of(slot) == 0 && wait.ticket == late.ticket && state.status[slot] == kSilent;
}

void order_late(ClientState& state) {
    const auto rank = [](const LateRequest& late) {
        return std::tuple(late.slot_plus_1, late.ticket, late.command, late.due,
                          std::uint8_t{late.in_order}, std::uint8_t{late.place},
                          std::uint8_t{late.left});
    };
    std::sort(state.late.begin(), state.late.end(),
              [&](const LateRequest& a, const LateRequest& b) { return rank(a) > rank(b); });
}

void add_late(ClientState& state, const LateRequest& late) {
    if (state.late.back().slot_plus_1 != 0) {
        throw std::length_error("more than " + std::to_string(ClientState::kMostLate) +
                                " requests of one client on their way at once are not searched");
    }
    state.late.back() = late;
    order_late(state);
}

void forget_waits(ClientState& state) {
    std::vector<std::uint16_t> tickets;
    for (const LateRequest& late : state.late) {
        if (late.slot_plus_1 != 0) tickets.push_back(late.ticket);
    }
    std::ranges::sort(tickets);
    const auto repeated = std::ranges::unique(tickets);
    tickets.erase(repeated.begin(), repeated.end());
    for (LateRequest& late : state.late) {
        if (late.slot_plus_1 == 0) continue;
        const auto rank = std::ranges::lower_bound(tickets, late.ticket) - tickets.begin();
        late.ticket = static_cast<std::uint16_t>(rank + 1);
    }
    order_late(state);
}

void join_queue(ClientState& state, LateRequest& late) {
    const auto last = std::ranges::max_element(
        state.late, {}, [](const LateRequest& one) { return std::uint8_t{one.place}; });
    late.place = last->place + 1;
    late.due = 0;
    late.in_order = 0;  // what the connection carries next is behind it in the queue
}

void leave_queue(ClientState& state, const LateRequest& late) {
    const std::uint8_t left = late.place;
    for (LateRequest& other : state.late) {
        if (other.place > left) other.place = other.place - 1;
    }
}

bool waits_behind(const ClientState& state, std::uint32_t slot) {
    return std::any_of(state.late.begin(), state.late.end(), [slot](const LateRequest& late) {
        return late.slot_plus_1 == slot + 1 && late.in_order != 0;
    });
}

}  // namespace locklab
