// What the future of one client depends on: its local state, and what became of what it waits for.
// States are equal where their bytes are, so there is no padding, and a field that means nothing
// any more is zero. Times are milliseconds from now.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "harness/explore/client_model.h"

namespace locklab {

/// What became of a task's wait.
enum WaitStatus : std::uint16_t {
    kUnsent = 0,       ///< a command that is yet to be sent; or a timer
    kSilent = 1,       ///< sent, and no reply is on its way
    kSilentRetry = 2,  ///< the same, and the client library will send it again
    kReplied = 3,      ///< from here on: the number of the reply that is there to be taken, or will
                       ///< be when it is due
};

/// A request that is on its way, and that nobody need wait for: it is late, or its task was
/// cancelled after it had left.
struct LateRequest {
    std::uint16_t command = 0;
    std::uint16_t ticket = 0;
    std::uint16_t due = 0;
    std::uint8_t slot_plus_1 = 0;  ///< 0: there is none
    std::uint8_t in_order = 0;     ///< 1: what its connection carries next stays behind it

    bool operator==(const LateRequest&) const = default;
};

struct ClientState {
    static constexpr std::uint32_t kMostLate = 3;

    std::uint32_t node = 0;
    std::array<std::uint16_t, kSlots> status{};
    /// Of a timer, of a silent command's time limit, or of a late reply.
    std::array<std::uint16_t, kSlots> due{};
    std::uint16_t paused = 0;
    std::uint16_t stalled = 0;
    std::int16_t clock = 0;       ///< by how much its wall clock is off
    std::uint8_t has_oracle = 0;  ///< 1: it has perfect_lock's
    std::uint8_t learnt = 0;      ///< 1: after a failover, it sends to the new master
    std::array<LateRequest, kMostLate> late{};

    bool operator==(const ClientState&) const = default;
};
static_assert(std::has_unique_object_representations_v<ClientState>);

/// Dead, or done: of what it was, only what is still on its way matters.
ClientState gone(const ClientState& state);

/// The same requests are on their way in whatever order they were sent.
void order_late(ClientState& state);

/// One more is on its way. Throws std::length_error if it is one too many.
void add_late(ClientState& state, const LateRequest& late);

/// Whether a cancelled request is still on the connection of this slot.
bool waits_behind(const ClientState& state, std::uint32_t slot);

/// Which of the requests on their way from this slot arrives first: that which is due first, and of
/// several that which was sent first; kMostLate: there is none.
inline std::uint32_t first_late(const ClientState& state, std::uint32_t slot) {
    std::uint32_t first = ClientState::kMostLate;
    for (std::uint32_t k = 0; k < state.late.size(); ++k) {
        if (state.late[k].slot_plus_1 != slot + 1) continue;
        const auto rank = [&](std::uint32_t i) {
            return std::pair(state.late[i].due, state.late[i].ticket);
        };
        if (first == ClientState::kMostLate || rank(k) < rank(first)) first = k;
    }
    return first;
}

}  // namespace locklab
