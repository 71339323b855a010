// The number of live runs that may be under way at once: as many as this machine serves in time.
// Loops in several threads share one. It falls if a loop is late by more than a part of a TTL, long
// before a run would be disturbed, and rises again while nothing is late.
#pragma once

#include <cstddef>
#include <mutex>

#include "harness/core/time.h"

namespace locklab {

class RunsAtOnce {
public:
    struct Bounds {
        std::size_t least = 1;
        std::size_t first = 1;
        std::size_t most = 1;
    };

    explicit RunsAtOnce(const Bounds& bounds);
    /// A fixed number, however late the machine is.
    explicit RunsAtOnce(std::size_t always) : RunsAtOnce(Bounds{always, always, always}) {}

    /// A lag above this is too much for runs with this TTL.
    static Duration most_lag(Duration ttl) { return ttl / kTtlPerLag; }

    /// True: one more may begin, and counts as under way until ended().
    bool begin();
    void ended();
    /// A loop, or a server, was late by too much.
    void was_late();

    std::size_t limit() const;
    /// The lowest and the highest limit so far.
    std::size_t lowest() const;
    std::size_t highest() const;
    std::size_t most() const { return bounds_.most; }

private:
    /// A run is disturbed by a lag above a fifth of its TTL (run_live_campaign).
    static constexpr int kTtlPerLag = 8;

    const Bounds bounds_;
    mutable std::mutex mutex_;
    std::size_t limit_;
    std::size_t lowest_;
    std::size_t highest_;
    std::size_t under_way_ = 0;
    std::size_t in_time_ = 0;  ///< runs that ended since the limit changed or anything was late
};

/// How many runs may be under way so that the files that this process may open are enough, if each
/// run has this many clients with connections to this many servers. At least 1.
std::size_t most_runs_for_files(std::size_t clients, std::size_t servers);

}  // namespace locklab
