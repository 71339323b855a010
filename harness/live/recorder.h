// Writes one live run's history, in true time since the run began: one clock for all clients,
// which are in one process.
#pragma once

#include <utility>

#include "harness/core/history.h"
#include "harness/live/reactor.h"

namespace locklab {

class Recorder {
public:
    /// Without `keeps_events` it tells the time and keeps nothing.
    explicit Recorder(bool keeps_events) : keeps_events_(keeps_events) {}

    /// The run begins now.
    void begin() { began_ = Reactor::Clock::now(); }

    Instant now() const {
        return Instant(std::chrono::duration_cast<Duration>(Reactor::Clock::now() - began_));
    }
    /// What the reactor's clock shows at `at`.
    Reactor::Clock::time_point clock_at(Instant at) const { return began_ + at.time_since_epoch(); }

    bool keeps_events() const { return keeps_events_; }
    void note(ClientId client, Phase phase, EventDetail detail) {
        if (keeps_events_) events_.push_back({now(), client, phase, std::move(detail)});
    }
    std::vector<Event> take_events() { return std::move(events_); }

private:
    bool keeps_events_;
    Reactor::Clock::time_point began_{};
    std::vector<Event> events_;
};

}  // namespace locklab
