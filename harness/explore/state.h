// A state of the search: everything that the future depends on, in one flat record without
// pointers. States are equal where their bytes are, so there is no padding, and a field that means
// nothing any more is zero. Times are milliseconds from now.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "harness/core/hazard.h"
#include "harness/explore/server_model.h"

namespace locklab {

/// What became of a task's wait.
enum WaitStatus : std::uint16_t {
    kUnsent = 0,       ///< a command that is yet to be sent; or a timer
    kSilent = 1,       ///< sent, and no reply is on its way
    kSilentRetry = 2,  ///< the same, and the client library will send it again
    kReplied = 3,      ///< from here on: the number of the reply that is there to be taken
};

struct ClientPart {
    std::uint32_t node = 0;
    std::array<std::uint16_t, kSlots> status{};
    std::array<std::uint16_t, kSlots> due{};  ///< of a timer, or of a silent command's time limit
    std::uint16_t paused = 0;
    std::uint16_t stalled = 0;
    std::int16_t clock = 0;  ///< by how much its wall clock is off
    std::uint16_t crashed = 0;
};

/// A request that is late.
struct Stray {
    std::uint16_t command = 0;
    std::uint16_t ticket = 0;
    std::uint16_t due = 0;
    std::uint8_t client = 0;
    std::uint8_t slot_plus_1 = 0;  ///< 0: there is none
};

struct State {
    static constexpr std::uint32_t kMostStrays = 2;
    std::uint32_t now = 0;  ///< 0 where no lock looks at a clock
    std::uint16_t shape = 0;
    std::uint16_t remaining = ServerData::kNever;
    std::array<std::uint8_t, 15> budget{};  ///< of each hazard
    std::uint8_t oracle = 0;                ///< 0, or the client that has perfect_lock, plus 1
    std::array<Stray, kMostStrays> strays{};
    std::array<ClientPart, Bounds::kMostClients> clients{};

    std::uint8_t left(Hazard hazard) const { return budget[static_cast<std::size_t>(hazard)]; }
    void spend(Hazard hazard) { --budget[static_cast<std::size_t>(hazard)]; }
    ServerData server() const { return {shape, remaining}; }
    void set_server(ServerData data) {
        shape = data.shape;
        remaining = data.remaining_ms;
    }
};
static_assert(std::has_unique_object_representations_v<State>);
static_assert(kHazards.size() == 15);

/// How many of its bytes count, with so many clients.
constexpr std::size_t bytes_of(std::uint32_t clients) {
    return sizeof(State) - (Bounds::kMostClients - clients) * sizeof(ClientPart);
}

}  // namespace locklab
