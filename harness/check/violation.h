// The findings of the three oracles in a run, in one list, each with its cause.
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
    ClientId client;          ///< the client of that event
    ResourceId lock{};        ///< which of its locks
    std::uint64_t grant = 0;  ///< the later grant of an overlap, or the writer's
    std::uint64_t other = 0;  ///< the earlier grant; the victim's (0: unknown); the newest writer's
    std::uint64_t token = 0;  ///< for a grant whose fencing token is old: that token...
    std::uint64_t other_token = 0;  ///< ...and that of the earlier grant; else 0
    Duration duration{0};           ///< of an overlap
    std::uint32_t sharing = 0;      ///< for an overlap of clients that share: how many were inside
    Cause cause = Cause::unexplained;
    /// A write that follows from an overlap has the overlap's cause, and is not counted again.
    bool counts = true;
};

std::string_view name_of(Violation::Kind kind);

/// The findings of the three oracles in one history, in order of time. If not every overlap is
/// listed, later writes are not listed either: their cause might be an unlisted overlap.
std::vector<Violation> violations_of(const KeyLog& log, const Overlaps& pairs,
                                     std::span<const LostUpdate> lost,
                                     std::span<const FenceInversion> inversions,
                                     std::span<const StaleToken> stale);

}  // namespace locklab
