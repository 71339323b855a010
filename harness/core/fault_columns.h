// What the columns of the table of faults (hazard.h) can say.
#pragma once

#include <cstdint>

namespace locklab {

/// What a fault strikes.
enum class FaultTarget : std::uint8_t {
    nobody,
    client,
    call,  ///< what a client has asked its library for
    link,
    node,
};

/// When a fault of a plan strikes.
enum class FaultMoment : std::uint8_t {
    never,
    at_start,        ///< when the run begins
    with_job,        ///< when a job begins
    at_observation,  ///< when a client is about to take an observation
    at_send,         ///< when a command leaves its client
};

/// The meaning of a fault's amount. Searches use one length for each (see Bounds).
enum class FaultSize : std::uint8_t {
    none,
    job,
    pause,
    delay,        ///< of a request
    reply_delay,  ///< always shorter than the client's time-out
    clock,
    outage,
    age,       ///< of the data that a server comes back with
    takeover,  ///< until clients learn which server is master
    hang,      ///< until a hung server continues
    cut,       ///< until a link works again
};

/// What a fault does to a server.
enum class FaultLoss : std::uint8_t {
    nothing,
    key,          ///< it forgets one
    keys,         ///< it forgets all; connections and scripts stay
    connections,  ///< it begins anew, and breaks its connections; it may have forgotten
    mastership,   ///< its replica takes over, and need not know all that it knew
};

/// In hundredths of the TTL, drawn uniformly from `least` to `most`; with `both_ways`, half of them
/// are negative. Both are 0 if a fault has no amount.
struct FaultAmounts {
    std::int64_t least = 0;
    std::int64_t most = 0;
    bool both_ways = false;
};

inline constexpr FaultAmounts kNoAmount;
constexpr FaultAmounts percent(std::int64_t least, std::int64_t most) {
    return {least, most, false};
}
constexpr FaultAmounts both_ways(std::int64_t least, std::int64_t most) {
    return {least, most, true};
}

}  // namespace locklab
