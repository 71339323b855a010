// Where faults can be made, and why not elsewhere: a column of the table of faults (hazard.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace locklab {

/// Where a fault can be made.
enum class FaultWorld : std::uint8_t {
    simulator,  ///< campaigns in the simulator
    search,     ///< searches and thresholds of our locks
    live,       ///< campaigns of our locks on real servers
    drivers,    ///< campaigns of driver processes, on real servers
    plays,      ///< searches of driver processes
};
struct FaultWorldRow {
    FaultWorld world;
    std::string_view name;
    std::string_view meaning;  ///< as in "not in searches"
};
inline constexpr auto kFaultWorldRows = std::to_array<FaultWorldRow>({
    {FaultWorld::simulator, "sim", "the simulator"},
    {FaultWorld::search, "search", "searches"},
    {FaultWorld::live, "live", "live campaigns"},
    {FaultWorld::drivers, "drivers", "campaigns of drivers"},
    {FaultWorld::plays, "plays", "searches of drivers"},
});
inline constexpr std::size_t kFaultWorlds = kFaultWorldRows.size();

/// For each world: why a fault cannot be made there, as half a sentence. Empty: it can.
struct FaultWorlds {
    std::array<std::string_view, kFaultWorlds> why_not{"", "", "", "", ""};

    constexpr FaultWorlds without(FaultWorld world, std::string_view why) const {
        FaultWorlds less = *this;
        less.why_not[static_cast<std::size_t>(world)] = why;
        return less;
    }
};
inline constexpr FaultWorlds kEverywhere;

}  // namespace locklab
