// Ground truth: when each client was inside, whatever the lock believed. A holder whose lease has
// expired, and who still works, is inside.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/check/per_client.h"
#include "harness/core/history.h"

namespace locklab {

/// One stay: from Granted until the client calls release, is told of its loss or crashes, or the
/// history ends.
struct Inside {
    std::uint64_t grant = 0;
    ClientId client;
    Mode mode = Mode::alone;
    Instant from;
    Instant until;
    /// Places in the log: the Granted, and what ended the stay (one past the log if nothing did).
    /// Instants may be equal; the order of the log decides.
    std::size_t begin = 0;
    std::size_t end = 0;
    /// What ended the stay.
    enum class Way : std::uint8_t {
        left,
        released,  ///< the history does not tell when its release began
        told,
        crashed,
        granted_again,
        history_ended
    };
    Way way = Way::history_ended;
};

/// Follows a history event by event.
class Stays {
public:
    void see(const Event& event, std::size_t place);
    /// Every grant's stay, in order of the grants. `places`: the number of events seen.
    std::vector<Inside> end(Instant at, std::size_t places);

private:
    void leave(const Event& event, ResourceId lock, std::size_t place, Inside::Way way);

    std::vector<Inside> stays_;
    /// By client and lock.
    PerClient<std::array<std::optional<std::size_t>, ResourceId::kMost>> open_;
};

/// Every grant's stay, in order of the grants.
std::vector<Inside> stays_inside(const History& history);

/// The end of the history, or its last event if that is later.
Instant end_of(const History& history);

bool is_crash(const Event& event);

/// Whether the event is about this one of its client's locks, or about all of them: a fault, a
/// failover that was learnt, the end.
bool is_about(const Event& event, ResourceId lock);

}  // namespace locklab
