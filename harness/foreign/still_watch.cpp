#include "harness/foreign/still_watch.h"

#include "harness/core/duration_text.h"

namespace locklab {

void StillWatch::resumed(ClientId client, Clock::time_point at, bool spoke) {
    for (Stop& stop : stops_) {
        if (stop.client == client && !stop.for_ever && stop.until > at) stop.until = at;
    }
    if (spoke && went_on_.empty()) {
        went_on_ = "client " + std::to_string(client.value) + " answers while it is paused";
    }
}

void StillWatch::killed(ClientId client, Clock::time_point at) {
    stops_.push_back({client, at, Clock::time_point::max(), true});
}

void StillWatch::see(ClientId client, const EventHead& head) {
    if (head.moment != LinkMoment::request) return;
    const Clock::time_point at{std::chrono::nanoseconds(head.at_ns)};
    for (const Stop& stop : stops_) {
        const bool during =
            stop.client == client && at > stop.from + on_its_way_ && at < stop.until;
        if (!during || !went_on_.empty()) continue;
        went_on_ = "a command of client " + std::to_string(client.value) + " came " +
                   to_string(std::chrono::duration_cast<Duration>(at - stop.from)) +
                   " after it was " + (stop.for_ever ? "killed" : "paused");
    }
}

std::string StillWatch::trouble_with(const std::string& library) const {
    if (went_on_.empty()) return {};
    return "The driver of " + library + " is not all of it: " + went_on_ +
           "; right would be a driver that starts all processes that work for it.";
}

}  // namespace locklab
