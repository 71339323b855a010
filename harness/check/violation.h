// What the three oracles found in a run, in one list, each with its cause.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/check/cause.h"
#include "harness/check/fence.h"
#include "harness/check/lost_update.h"
#include "harness/check/token_order.h"
#include "harness/core/history.h"

namespace locklab {

struct Violation {
    enum class Kind : std::uint8_t { overlap, lost_update, fence_inversion };
    Kind kind = Kind::overlap;
    std::size_t event = 0;  ///< the event with which it began, by its place in the log. A fence
                            ///< inversion begins with a write, or with a grant whose token is old
    Instant at;
    ClientId client;          ///< whose event that is
    ResourceId lock{};        ///< which of its locks
    std::uint64_t grant = 0;  ///< the later grant of an overlap, or the writer's
    std::uint64_t other = 0;  ///< the earlier grant; the victim's (0: unknown); the newest writer's
    std::uint64_t token = 0;  ///< of a grant whose fencing token is old, that token...
    std::uint64_t other_token = 0;  ///< ...and that of the grant before it; else 0
    Duration duration{0};           ///< of an overlap
    std::uint32_t sharing = 0;      ///< of an overlap of clients that share: how many were inside
    Cause cause = Cause::unexplained;
    /// A write that is the consequence of an overlap has the overlap's cause, and counts no more.
    bool counts = true;
};

std::string_view name_of(Violation::Kind kind);

/// What the three oracles found in one history, in the order in which it happened. Where not every
/// overlap is listed, neither is a write from then on: its cause might be one that is not.
std::vector<Violation> violations_of(const KeyLog& log, const Overlaps& pairs,
                                     std::span<const LostUpdate> lost,
                                     std::span<const FenceInversion> inversions,
                                     std::span<const StaleToken> stale);

}  // namespace locklab
