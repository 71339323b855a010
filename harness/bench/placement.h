// The processors of client and server. They decide the figures of one client.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/live/processors.h"

namespace locklab {

enum class Placement : std::uint8_t {
    same,  ///< client and server on one processor
    two,   ///< each on its own
    free,  ///< as the kernel decides
};

std::string_view name_of(Placement placement);

/// The placements for which this machine has enough processors.
std::vector<Placement> placements();

/// Pins the calling thread and a server (the thread in which redis-server runs commands) as long as
/// it lives.
class Placed {
public:
    Placed(Placement placement, pid_t server);

private:
    std::optional<KeptOn> client_;
    std::optional<KeptOn> server_;
};

}  // namespace locklab
