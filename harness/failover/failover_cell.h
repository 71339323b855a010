// What is asked of failovers: how far the replica is behind, and what the servers and the client do
// about it. One cell of the measurement.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "harness/core/lock.h"
#include "harness/core/time.h"

namespace locklab {

/// What is to keep a lock from being lost.
enum class Safeguard : std::uint8_t {
    none,
    wait,          ///< the client has the lock once a replica has acknowledged its key
    wait_on_disk,  ///< the client has the lock once a replica has its key on disk
    min_replicas,  ///< servers take writes only while a replica was heard of within a second
};

struct SafeguardRow {
    Safeguard safeguard;
    std::string_view name;
    std::string_view meaning;
};
inline constexpr std::array<SafeguardRow, 4> kSafeguards{{
    {Safeguard::none, "none", "SET NX PX with a token"},
    {Safeguard::wait, "wait", "SET NX PX, then WAIT 1: no lock unless a replica has the key"},
    {Safeguard::wait_on_disk, "wait_on_disk",
     "SET NX PX, then WAITAOF 0 1: no lock unless a replica has the key on its disk (Valkey, or "
     "Redis from 7.2 on)"},
    {Safeguard::min_replicas, "min_replicas",
     "SET NX PX at servers with min-replicas-to-write 1, min-replicas-max-lag 1"},
}};

constexpr std::string_view name_of(Safeguard safeguard) {
    return kSafeguards[static_cast<std::size_t>(safeguard)].name;
}

/// Throws std::invalid_argument with one sentence.
Safeguard safeguard_named(std::string_view name);

struct FailoverCell {
    /// What the master sends to the replica that is held back comes this much later.
    Duration lag{0};
    Safeguard safeguard = Safeguard::none;
    /// Replicas of the master. Of two, only the second is held back.
    std::uint32_t replicas = 1;

    bool operator==(const FailoverCell&) const = default;
};

/// The same for every run of a measurement.
struct FailoverShape {
    std::uint64_t seed = 1;
    /// The master is killed this long after the answer to SET, at most.
    Duration within = std::chrono::milliseconds(200);
    Duration ttl = std::chrono::seconds(30);
    ServerKind server = ServerKind::redis;  ///< what servers and Sentinels are

    bool operator==(const FailoverShape&) const = default;
};

/// The lock of a cell, and its options.
const Algorithm& lock_of(const FailoverCell& cell);
LockOptions options_of(const FailoverCell& cell, const FailoverShape& shape);

/// How long after the answer to SET the master is to be killed in this run: the same for every
/// cell, so that they are compared at the same instants.
Duration draw_kill(const FailoverShape& shape, std::uint64_t run);

}  // namespace locklab
