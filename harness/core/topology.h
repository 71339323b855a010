// Which Redis servers a run has. Topology is data: one server is no special case.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace locklab {

struct Topology {
    static constexpr std::uint32_t kMostMasters = 5;

    /// Servers that know nothing of one another.
    std::uint32_t masters = 1;

    bool operator==(const Topology&) const = default;
};

/// What --topology may name, and what it means.
struct TopologyRow {
    std::string_view name;
    std::string_view meaning;
};
inline constexpr std::array<TopologyRow, 2> kTopologies{{
    {"one", "one Redis server"},
    {"masters:N", "N Redis servers that know nothing of one another: 2 to 5, in searches up to 3"},
}};

/// "one", or "masters:3"; nothing where the text is neither.
std::optional<Topology> parse_topology(std::string_view text);
std::string to_string(const Topology& topology);

}  // namespace locklab
