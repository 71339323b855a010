// Which processors client and server run on. It decides one-client figures.
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
    two,   ///< on one each
    free,  ///< wherever the kernel puts them
};

std::string_view name_of(Placement placement);

/// Those that this machine has the processors for.
std::vector<Placement> placements();

/// Holds the calling thread and a server (the thread in which redis-server runs commands) where
/// they are to be, for as long as it lives.
class Placed {
public:
    Placed(Placement placement, pid_t server);

private:
    std::optional<KeptOn> client_;
    std::optional<KeptOn> server_;
};

}  // namespace locklab
