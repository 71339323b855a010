// Writes one live run's history, in real time since the run began: one clock for all clients, which
// are in one process.
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "harness/core/history.h"
#include "harness/live/reactor.h"

namespace locklab {

/// What a history keeps of a run, besides its time, key and so on.
enum class Recording : std::uint8_t {
    nothing,
    rounds,  ///< what clients want, get and leave, without their commands
    everything,
};

class Recorder {
public:
    explicit Recorder(Recording recording) : recording_(recording) {}

    /// The run begins now.
    void begin() {
        began_ = Reactor::Clock::now();
        const auto wall = std::chrono::system_clock::now().time_since_epoch();
        wall_began_ = WallTime(std::chrono::duration_cast<Duration>(wall));
    }
    /// The machine's wall clock at that time: the server's too, if it is on the same machine.
    WallTime began() const { return wall_began_; }

    Instant now() const {
        return Instant(std::chrono::duration_cast<Duration>(Reactor::Clock::now() - began_));
    }
    /// The reactor's clock at `at`.
    Reactor::Clock::time_point clock_at(Instant at) const { return began_ + at.time_since_epoch(); }

    bool keeps_commands() const { return recording_ == Recording::everything; }
    void note(ClientId client, Phase phase, EventDetail detail, ResourceId resource = {}) {
        if (recording_ == Recording::nothing) return;
        if (chunks_.empty() || chunks_.back().size() == kChunk)
            chunks_.emplace_back().reserve(kChunk);
        chunks_.back().push_back({now(), client, phase, std::move(detail), resource});
    }
    std::vector<Event> take_events();

private:
    /// Events are kept in chunks: moving a long history during a run would be an unplanned pause of
    /// all clients.
    static constexpr std::size_t kChunk = 512;

    Recording recording_;
    Reactor::Clock::time_point began_{};
    WallTime wall_began_;
    std::vector<std::vector<Event>> chunks_;
};

inline std::vector<Event> Recorder::take_events() {
    std::vector<Event> events;
    events.reserve(chunks_.size() * kChunk);
    for (std::vector<Event>& chunk : chunks_) {
        std::move(chunk.begin(), chunk.end(), std::back_inserter(events));
    }
    chunks_.clear();
    return events;
}

}  // namespace locklab
