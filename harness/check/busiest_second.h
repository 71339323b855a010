// How many commands all clients together sent to servers in their busiest second. This shows a lock
// that polls, or whose clients all ask again at once; the mean does not.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

#include "harness/core/history.h"

namespace locklab {

/// Follows a history event by event, and keeps the sending times of one second.
class BusiestSecond {
public:
    void see(const Event& event) {
        const auto* sent = std::get_if<event::Sent>(&event.detail);
        if (sent == nullptr || sent->node == kOracle) return;
        while (!instants_.empty() && event.at - instants_.front() >= std::chrono::seconds(1)) {
            instants_.pop_front();
        }
        instants_.push_back(event.at);
        if (instants_.size() > most_) {
            most_ = instants_.size();
            from_ = instants_.front();
        }
    }
    std::uint64_t most() const { return most_; }
    /// When the first command of the busiest second was sent.
    Instant from() const { return from_; }

private:
    std::deque<Instant> instants_;
    std::uint64_t most_ = 0;
    Instant from_;
};

}  // namespace locklab
