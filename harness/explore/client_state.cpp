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

namespace {

/// Whether a task's slots are those of servers: it waits for their replies.
bool asks_servers(const LocalState& local, std::uint32_t task) {
    return local.waits[task].kind == LocalWait::Kind::redis;
}

std::uint8_t slot_plus_1_at(std::uint8_t slot_plus_1, std::uint32_t server) {
    return static_cast<std::uint8_t>(slot_of(task_of(slot_plus_1 - 1U), server) + 1);
}

}  // namespace

AtServer at_server(const ClientState& state, const LocalState& local, std::uint32_t server) {
    AtServer its;
    for (std::uint32_t task = 0; task < kTasks; ++task) {
        if (!asks_servers(local, task)) continue;
        its.status[task] = state.status[slot_of(task, server)];
        its.due[task] = state.due[slot_of(task, server)];
    }
    std::size_t count = 0;
    for (const LateRequest& late : state.late) {
        if (late.slot_plus_1 == 0 || server_of(late.slot_plus_1 - 1U) != server) continue;
        its.late[count] = late;
        its.late[count++].slot_plus_1 = slot_plus_1_at(late.slot_plus_1, 0);
    }
    its.cut = state.cut[server];
    return its;
}

ClientState with_servers(const ClientState& state, const LocalState& local,
                         const ServerOrder& from) {
    ClientState after = state;
    ServerOrder now{};
    for (std::uint8_t i = 0; i < from.size(); ++i) {
        now[from[i]] = i;
        after.cut[i] = state.cut[from[i]];
        for (std::uint32_t task = 0; task < kTasks; ++task) {
            if (!asks_servers(local, task)) continue;
            after.status[slot_of(task, i)] = state.status[slot_of(task, from[i])];
            after.due[slot_of(task, i)] = state.due[slot_of(task, from[i])];
        }
    }
    for (LateRequest& late : after.late) {
        if (late.slot_plus_1 == 0) continue;
        const std::uint32_t server = now[server_of(late.slot_plus_1 - 1U)];
        late.slot_plus_1 = slot_plus_1_at(late.slot_plus_1, server);
    }
    order_late(after);
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
