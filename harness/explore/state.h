// A state of the search: everything that the future depends on, in one flat record without
// pointers. States are equal where their bytes are, so there is no padding, and a field that means
// nothing any more is zero. Times are milliseconds from now.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "harness/core/hazard.h"
#include "harness/explore/part_table.h"
#include "harness/explore/server_model.h"

namespace locklab {

/// How many of each fault may still strike, in four bits each.
class Budgets {
public:
    static constexpr std::uint32_t kMost = 15;

    bool any() const { return bits_ != 0; }
    std::uint32_t left(Hazard hazard) const { return bits_ >> shift_of(hazard) & kMost; }
    void set(Hazard hazard, std::uint32_t count) {
        LOCKLAB_ASSERT(count <= kMost && left(hazard) == 0);
        bits_ |= std::uint64_t{count} << shift_of(hazard);
    }
    void spend(Hazard hazard) { bits_ -= std::uint64_t{1} << shift_of(hazard); }

    bool operator==(const Budgets&) const = default;

private:
    static std::uint32_t shift_of(Hazard hazard) { return 4 * static_cast<std::uint32_t>(hazard); }

    std::uint64_t bits_ = 0;
};
static_assert(kHazards.size() * 4 <= 64);

struct State {
    Budgets budget;
    std::uint32_t now = 0;  ///< 0 where no lock looks at a clock
    std::uint16_t shape = 0;
    std::uint16_t remaining = ServerData::kNever;
    std::array<std::uint32_t, Bounds::kMostClients> clients{};  ///< numbers in the part table

    ServerData server() const { return {shape, remaining}; }
    void set_server(ServerData data) {
        shape = data.shape;
        remaining = data.remaining_ms;
    }
    bool operator==(const State&) const = default;
};
static_assert(std::has_unique_object_representations_v<State>);
static_assert(sizeof(State) == 32);

/// How many of its bytes count, with so many clients.
constexpr std::size_t bytes_of(std::uint32_t clients) {
    return sizeof(State) - (Bounds::kMostClients - clients) * sizeof(std::uint32_t);
}

}  // namespace locklab
