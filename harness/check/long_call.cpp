#include "harness/check/long_call.h"

#include <algorithm>

#include "harness/check/inside.h"

namespace locklab {

void LongCalls::add(const LongCalls& other) {
    found += other.found;
    of += other.of;
    longest = std::max(longest, other.longest);
}

void LongCallWatch::end_call(Client& client, Instant at) {
    if (client.since && !client.stopped_for_ever) {
        const Duration took = at - *client.since - client.stopped;
        ++found_.of;
        if (took > answers_within_) {
            ++found_.found;
            found_.longest = std::max(found_.longest, took);
        }
    }
    client = {};
}

void LongCallWatch::see(const Event& event) {
    if (answers_within_ == Duration::zero()) return;
    Client& client = clients_[event.client];
    if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
        const bool begins = event.phase == Phase::acquire && sent->node != kOracle && !client.since;
        if (begins) client.since = event.at;
    } else if (std::holds_alternative<event::Granted>(event.detail) ||
               std::holds_alternative<event::Refused>(event.detail) ||
               std::holds_alternative<event::Failed>(event.detail)) {
        end_call(client, event.at);
    } else if (std::holds_alternative<event::Finished>(event.detail) || is_crash(event)) {
        client = {};
    } else if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
        if (row_of(fault->hazard).size != FaultSize::pause) return;
        client.stopped += fault->amount;
        if (fault->amount == Duration::zero()) client.stopped_for_ever = true;
    }
}

LongCalls LongCallWatch::end(Instant at) {
    for (Client& client : clients_.all()) {
        const bool too_long = client.since && at - *client.since - client.stopped > answers_within_;
        if (too_long) end_call(client, at);
    }
    return found_;
}

}  // namespace locklab
