// Where a run takes place.
#pragma once

#include <cstdint>
#include <string_view>

namespace locklab {

/// In the simulator, or on a real Redis.
enum class WorldKind : std::uint8_t { sim, live };

constexpr std::string_view name_of(WorldKind world) {
    return world == WorldKind::sim ? "sim" : "live";
}

}  // namespace locklab
