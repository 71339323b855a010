// What the future of one client depends on: its local state, and the progress of its waits. States
// are equal if their bytes are: there is no padding, and a field without meaning is zero. Times are
// milliseconds from now.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "harness/explore/client_model.h"

namespace locklab {

/// Progress of a task's wait.
enum WaitStatus : std::uint16_t {
    kUnsent = 0,       ///< a command that is not sent yet; or a timer
    kSilent = 1,       ///< sent, and no reply is on its way
    kSilentRetry = 2,  ///< the same, and the client library will send it again
    kReplied = 3,      ///< plus the number of the reply, which can be taken now or when it is due
};

/// A request on its way that no task need wait for: it is late, or its task was cancelled after it
/// was sent.
struct LateRequest {
    std::uint16_t command = 0;
    std::uint16_t ticket = 0;
    std::uint16_t due = 0;
    std::uint8_t slot_plus_1 = 0;   ///< 0: no request
    std::uint8_t in_order : 1 = 0;  ///< 1: the connection carries what follows only after it
    /// Its place among the client's requests that wait at servers that hang, from 1 on; 0: none.
    std::uint8_t place : 5 = 0;
    /// The connection that its client has left since, if it has a transaction open there; else 0.
    std::uint8_t left : 2 = 0;

    bool operator==(const LateRequest&) const = default;
};

struct ClientState {
    static constexpr std::uint32_t kMostLate = 8;

    std::uint32_t node = 0;
    std::array<std::uint16_t, kSlots> status{};
    /// For a timer, a silent command's time limit, or a late reply.
    std::array<std::uint16_t, kSlots> due{};
    std::uint16_t paused = 0;
    std::uint16_t stalled = 0;
    std::int16_t clock = 0;       ///< how far its wall clock is off
    std::uint8_t has_oracle = 0;  ///< 1: it holds the mutex of perfect_lock's oracle
    std::uint8_t learnt = 0;      ///< 1: after a failover, it sends to the new master
    /// Time since its try began, if each try has a lock object of its own; else 0.
    std::uint32_t stopwatch = 0;
    std::array<LateRequest, kMostLate> late{};
    /// Time until its link to each server works again; 0: it does.
    std::array<std::uint16_t, Bounds::kMostServers + 1> cut{};

    bool is_cut() const { return cut != decltype(cut)(); }
    bool operator==(const ClientState&) const = default;
};
static_assert(std::has_unique_object_representations_v<ClientState>);

/// Server i becomes the j with `from[j] == i`.
using ServerOrder = std::array<std::uint8_t, Bounds::kMostServers>;
inline constexpr ServerOrder kSameServers{0, 1, 2, 3, 4};
/// A number below 2^15 that identifies the order.
constexpr std::uint32_t code_of(const ServerOrder& from) {
    std::uint32_t code = 0;
    for (const std::uint8_t server : from) code = code << 3 | server;
    return code;
}

/// The first servers sorted; equal ones stay in their order.
template <class IsBefore>
ServerOrder sorted_servers(std::uint32_t servers, IsBefore is_before) {
    ServerOrder from = kSameServers;
    for (std::uint32_t i = 1; i < servers; ++i) {
        for (std::uint32_t k = i; k > 0 && is_before(from[k], from[k - 1]); --k) {
            std::swap(from[k], from[k - 1]);
        }
    }
    return from;
}

/// What one client has under way at one server. As in its state, there is no padding.
struct AtServer {
    std::array<std::uint16_t, kTasks> status{};
    std::array<std::uint16_t, kTasks> due{};
    std::array<LateRequest, ClientState::kMostLate> late{};  ///< with the slots of the first server
    std::uint16_t cut = 0;

    bool operator==(const AtServer&) const = default;
};
static_assert(std::has_unique_object_representations_v<AtServer>);

/// Of all that the client has, what goes with the server; a timer goes with none.
AtServer at_server(const ClientState& state, const LocalState& local, std::uint32_t server);
/// The client's state once servers are renamed.
ClientState with_servers(const ClientState& state, const LocalState& local,
                         const ServerOrder& from);

/// A client that is dead or done: only its requests on their way still matter.
ClientState gone(const ClientState& state);

/// Whether the worker waits for the request: it is on the client's present connection.
bool is_waited_for(const ClientState& state, const LocalWait& wait, const LateRequest& late);

/// Sorts the requests on their way, so that the order of sending does not tell states apart.
void order_late(ClientState& state);

/// Adds a request on its way. Throws std::length_error if there are too many.
void add_late(ClientState& state, const LateRequest& late);

/// Numbers the tickets of requests on their way from 1 on, in their order: no task waits for them
/// any more, and the tickets of later ones are greater than kMostLate.
void forget_waits(ClientState& state);

/// Whether a cancelled request is still on the connection of this slot.
bool waits_behind(const ClientState& state, std::uint32_t slot);

/// The request from this slot that arrives first: the one due first, or of several the one sent
/// first; kMostLate: there is none. Those that wait at a server that hangs have arrived.
inline std::uint32_t first_late(const ClientState& state, std::uint32_t slot) {
    std::uint32_t first = ClientState::kMostLate;
    for (std::uint32_t k = 0; k < state.late.size(); ++k) {
        if (state.late[k].slot_plus_1 != slot + 1 || state.late[k].place != 0) continue;
        const auto rank = [&](std::uint32_t i) {
            return std::pair(state.late[i].due, state.late[i].ticket);
        };
        if (first == ClientState::kMostLate || rank(k) < rank(first)) first = k;
    }
    return first;
}

/// The first of the client's requests that wait at that server; kMostLate: there is none.
inline std::uint32_t first_in_queue(const ClientState& state, std::uint32_t server) {
    std::uint32_t first = ClientState::kMostLate;
    for (std::uint32_t k = 0; k < state.late.size(); ++k) {
        const LateRequest& late = state.late[k];
        if (late.place == 0 || server_of(late.slot_plus_1 - 1U) != server) continue;
        if (first == ClientState::kMostLate || late.place < state.late[first].place) first = k;
    }
    return first;
}

/// The request joins those that wait at a server that hangs, or leaves them.
void join_queue(ClientState& state, LateRequest& late);
void leave_queue(ClientState& state, const LateRequest& late);

}  // namespace locklab
