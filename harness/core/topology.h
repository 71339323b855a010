// Which Redis servers a run has. Topology is data: one server is no special case.
#pragma once

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

/// "one", or "masters:3"; nothing where the text is neither.
std::optional<Topology> parse_topology(std::string_view text);
std::string to_string(const Topology& topology);

}  // namespace locklab
