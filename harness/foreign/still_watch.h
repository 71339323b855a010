// Checks that paused or killed clients do nothing. A process that works for a driver, but was not
// started by it (in a container, or of another user), goes on despite the fault.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "harness/core/names.h"
#include "harness/core/time.h"
#include "harness/proxy/event_log.h"

namespace locklab {

class StillWatch {
public:
    using Clock = std::chrono::steady_clock;

    /// `on_its_way`: commands in flight when a client is stopped may arrive this much later.
    explicit StillWatch(Duration on_its_way) : on_its_way_(on_its_way) {}

    void paused(ClientId client, Clock::time_point at) { stops_.push_back({client, at}); }
    /// `spoke`: its driver said something during the pause.
    void resumed(ClientId client, Clock::time_point at, bool spoke);
    void killed(ClientId client, Clock::time_point at);
    /// Call for each event that the proxy saw of the client.
    void see(ClientId client, const EventHead& head);

    /// What the first client did during its pause or after its end: half a sentence. Empty:
    /// nothing.
    const std::string& went_on() const { return went_on_; }
    /// The sentence that reports this for a library; empty: nothing to report.
    std::string trouble_with(const std::string& library) const;

private:
    struct Stop {
        ClientId client;
        Clock::time_point from;
        Clock::time_point until = Clock::time_point::max();
        bool for_ever = false;
    };

    const Duration on_its_way_;
    std::vector<Stop> stops_;
    std::string went_on_;
};

}  // namespace locklab
