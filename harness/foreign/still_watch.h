// Whether clients that are paused, or were killed, stand still, as that fault says: a process that
// works for a driver and was not started by it (one in a container, one of another user) goes on.
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

    /// What was on its way as its client was stopped may come so much later.
    explicit StillWatch(Duration on_its_way) : on_its_way_(on_its_way) {}

    void paused(ClientId client, Clock::time_point at) { stops_.push_back({client, at}); }
    /// `spoke`: its driver said something meanwhile.
    void resumed(ClientId client, Clock::time_point at, bool spoke);
    void killed(ClientId client, Clock::time_point at);
    /// What the proxy saw of it.
    void see(ClientId client, const EventHead& head);

    /// What the first of them did that did not stand still: half a sentence. Empty: all did.
    const std::string& went_on() const { return went_on_; }
    /// The sentence that says so of a library; empty: all did.
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
