// Clients that take several locks one inside the other, in different orders, and wait for each
// other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/check/per_client.h"
#include "harness/core/history.h"

namespace locklab {

struct WaitInCircle {
    ClientId client;
    ResourceId has;
    ResourceId wants;
    bool operator==(const WaitInCircle&) const = default;
};

/// A circle: each has the lock that the one before it wants, and the first has what the last wants.
using Deadlock = std::vector<WaitInCircle>;

/// Follows a history event by event.
class DeadlockWatch {
public:
    void see(const Event& event);
    /// A smallest circle of live clients; empty if there is none. The caller must know whether it
    /// lasts: a lease that runs out breaks it.
    Deadlock found() const;

private:
    struct Client {
        std::optional<ResourceId> wants;
        std::uint32_t holds = 0;  ///< a bit for each lock, from its grant to the end of its release
        std::uint32_t not_left = 0;  ///< the same, but only until it leaves
    };
    bool holds(const Client& client, ResourceId lock) const;
    bool close(Deadlock& path, std::size_t most) const;

    PerClient<Client> clients_;
    bool tells_releases_ = false;
};

}  // namespace locklab
