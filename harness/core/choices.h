// The one place where a run is decided. Everything that the program does not determine (which due
// event comes next, whether a fault strikes, how long a message takes) is picked here.
#pragma once

#include <cstdint>

namespace locklab {

enum class ChoiceKind : std::uint8_t {
    next_event,  ///< which of the events due now comes next
    latency,     ///< how long a message takes, as a quantile
    workload,    ///< how long a job, a think time or a wait takes, as a quantile
    fault,       ///< whether, when, on whom and how much
};

/// Random, recorded and replayed runs, and every search, are implementations of this.
class Choices {
public:
    virtual ~Choices() = default;

    /// One of 0 .. count-1, for count >= 1. Pick 0 is always the default without trouble: the
    /// oldest event, the shortest time, no fault. So a trace is simplified by turning picks into 0.
    virtual std::uint32_t pick(ChoiceKind kind, std::uint32_t count) = 0;
};

/// Picks 0, always.
class CalmChoices final : public Choices {
public:
    std::uint32_t pick(ChoiceKind, std::uint32_t) override { return 0; }
};

/// How finely a quantile is picked.
inline constexpr std::uint32_t kQuantiles = 1U << 16;

}  // namespace locklab
