// State of one client in a play of driver processes.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/core/history.h"
#include "harness/foreign/driver_worker.h"

namespace locklab {

struct PlayClient {
    DriverWorker worker;
    std::optional<Instant> due{};  ///< when it is to be asked next
    std::optional<Instant> paused_until{};
    Instant leaves_at{};                  ///< end of its job
    std::optional<Instant> extends_at{};  ///< when it is to extend its grant next
    std::uint32_t shows = 0;   ///< steps since its grant beyond its job, to prove an overlap
    std::uint32_t more = 0;    ///< extra rounds, since another client's message was lost
    bool awaits_lost = false;  ///< one of its messages was lost since it last answered

    Phase phase() const { return worker.phase(); }
    bool is_dead() const { return worker.is_dead(); }
    bool may_be_asked() const {
        return !is_dead() && !worker.is_finished() && !paused_until && !worker.is_asked();
    }
    bool can_be_asked(Instant now) const { return may_be_asked() && due && *due <= now; }
    bool may_extend() const {
        return may_be_asked() && phase() == Phase::inside && !worker.is_out() && extends_at;
    }
    bool can_extend(Instant now) const { return may_extend() && *extends_at <= now; }
    bool is_done() const {
        return is_dead() || (worker.is_finished() && !worker.is_asked() && !paused_until);
    }
};

}  // namespace locklab
