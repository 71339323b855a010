// Observations of a client's tasks that are held back while the tasks are paused or stalled.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>

#include "harness/core/names.h"
#include "harness/core/reply.h"
#include "harness/core/time.h"

namespace locklab {

struct Observation {
    TaskId task;
    NodeId server;  ///< of a call: the server that its lock asked
    NodeId node;    ///< the node of that server
    std::uint32_t ticket = 0;
    std::uint64_t call = 0;  ///< of a Redis call; 0: a timer, or the oracle's answer
    bool timed_out = false;  ///< the call was given up
    bool struck = false;     ///< a fault has struck it already
    Reply reply;
};

/// One for the worker, and one for the background tasks. Keeps the order.
class Inbox {
public:
    void pause_until(Instant instant) { until_ = std::max(until_, instant); }

    /// Whether a new observation must wait for the end of a pause.
    bool is_paused(Instant now) const { return !held_.empty() || now < until_; }
    /// Whether a held observation may now be taken.
    bool has_ready(Instant now) const { return !held_.empty() && now >= until_; }
    bool empty() const { return held_.empty(); }
    Instant until() const { return until_; }

    void hold(Observation&& observation) { held_.push_back(std::move(observation)); }
    /// Puts back an observation that was taken from the front, and then struck by another pause.
    void hold_first(Observation&& observation) { held_.push_front(std::move(observation)); }
    Observation take() {
        Observation first = std::move(held_.front());
        held_.pop_front();
        return first;
    }
    void clear() { held_.clear(); }

    bool alarm_set = false;  ///< for the end of the pause

private:
    Instant until_;
    std::deque<Observation> held_;
};

}  // namespace locklab
