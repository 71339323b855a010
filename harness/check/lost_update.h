// The second oracle: a write computed from a version that another write has replaced since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

struct LostUpdate {
    std::size_t event = 0;  ///< the Wrote, by its place in the log
    std::uint64_t grant = 0;
    /// The grant whose write it destroyed; 0 if the history does not tell.
    std::uint64_t victim = 0;
    Instant at;
    ClientId client;
};

/// All writes, and how many of them left no trace in the end: a stale write erases everything
/// written since its own read. A set to which each job adds an element would lack as many elements,
/// which is what Jepsen's set tests count.
struct WriteCount {
    std::uint64_t writes = 0;
    std::uint64_t erased = 0;
};

/// The register differed from what the previous write had left, or a write did not increase the
/// version by one: writes are missing in the history, and it is unknown what they destroyed.
struct RegisterJump {
    std::size_t event = 0;  ///< the Wrote, by its place in the log
    Instant at;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
};

/// Follows a history event by event.
class RegisterWatch {
public:
    void see(const Event& event, std::size_t place);

    const std::vector<LostUpdate>& lost() const { return lost_; }
    /// The first jump, and the number of jumps.
    const std::optional<RegisterJump>& first_jump() const { return first_jump_; }
    std::uint64_t jumps() const { return jumps_; }
    WriteCount writes() const;

private:
    struct Write {
        std::uint64_t base = 0;
        std::uint64_t version = 0;
    };
    void jump(const Event& event, std::size_t place, std::uint64_t from, std::uint64_t to);

    std::vector<LostUpdate> lost_;
    std::optional<RegisterJump> first_jump_;
    std::uint64_t jumps_ = 0;
    std::uint64_t last_writer_ = 0;
    std::vector<Write> writes_;
};

std::vector<LostUpdate> lost_updates(const History& history);

WriteCount count_writes(const History& history);

}  // namespace locklab
