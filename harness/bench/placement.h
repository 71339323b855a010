// Which processors client and server run on. It decides one-client figures: where both share a
// processor no other one need be woken up, which on a virtual machine costs ten times the rest.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace locklab {

enum class Placement : std::uint8_t {
    same,  ///< client and server on one processor
    two,   ///< on one each
    free,  ///< wherever the kernel puts them
};

std::string_view name_of(Placement placement);

/// Those that this machine has the processors for.
std::vector<Placement> placements();

/// Holds the calling thread and a server where they are to be, for as long as it lives.
class Placed {
public:
    Placed(Placement placement, pid_t server);
    ~Placed();
    Placed(const Placed&) = delete;
    Placed& operator=(const Placed&) = delete;

private:
    const pid_t server_;
};

}  // namespace locklab
