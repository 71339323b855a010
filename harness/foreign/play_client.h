// What one client of a play of driver processes is about.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "harness/core/history.h"
#include "harness/driver/driver_lines.h"

namespace locklab {

struct PlayClient {
    struct Asked {
        std::uint64_t id = 0;
        DriverOp op = DriverOp::acquire;
    };

    Phase phase = Phase::idle;
    std::uint32_t round = 0;
    std::uint32_t tries = 0;
    std::optional<Asked> asked;
    std::optional<Instant> due;  ///< it has something to be asked
    std::optional<Instant> paused_until;
    Instant leaves_at;         ///< its job is done then
    std::uint32_t shows = 0;   ///< steps of this stay beyond its job, for another's sake
    std::uint32_t more = 0;    ///< rounds, since another's message was lost
    bool awaits_lost = false;  ///< a message of its was lost since it last answered
    bool leaves = false;       ///< as soon as its step is answered
    bool dead = false;
    bool finished = false;

    bool can_be_asked(Instant now) const {
        return !dead && !finished && !paused_until && !asked && due && *due <= now;
    }
    bool is_done() const { return dead || (finished && !asked && !paused_until); }
};

}  // namespace locklab
