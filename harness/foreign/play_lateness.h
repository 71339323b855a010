// Time of a play that its script did not ask for: it displaces what comes after.
//
// Leases last for a TTL, so what falls within one TTL counts: a play that is late by a little at
// every try of a client that waits for long is not late for any lease. While the script itself lets
// time pass, what clients do meanwhile displaces nothing: it goes on at the instant that it meant.
#pragma once

#include <string>
#include <vector>

#include "harness/core/time.h"

namespace locklab {

class PlayLateness {
public:
    /// A stretch of such time, and whose it is.
    struct Stretch {
        Instant end{};
        Duration length{0};
        Duration late{0};     ///< by how much of it the script goes on later
        Duration machine{0};  ///< some process waited for a processor
        Duration own{0};      ///< clients waited by themselves: between tries, or at a server
        Duration step{0};     ///< drivers took it for steps
    };
    struct Found {
        std::string why;           ///< half a sentence; empty: not late
        bool is_machines = false;  ///< not the library's own
    };

    /// In order of time.
    void add(const Stretch& stretch);
    /// Whether the script went on later by more than `most` within one `window`, or one stretch was
    /// longer than that.
    Found more_than(Duration most, Duration window) const;

private:
    /// The sum over the window that has most.
    Stretch worst(Duration window) const;

    std::vector<Stretch> stretches_;
};

}  // namespace locklab
