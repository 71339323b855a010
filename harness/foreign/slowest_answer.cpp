#include "harness/foreign/slowest_answer.h"

#include <algorithm>

#include "harness/foreign/gated_command.h"

namespace locklab {

void SlowestAnswer::see(const LinkEvent& event) {
    const EventHead& head = event.head;
    if (head.number == 0) return;
    std::set<Number>& waiting = waiting_[head.connection];
    const std::pair command{head.connection, head.number};
    const std::chrono::nanoseconds at{head.at_ns};
    if (head.moment == LinkMoment::request) {
        if (may_wait_at_server(gated_command(event.bytes))) waiting.insert(head.number);
        if (waiting.empty()) asked_[command] = at;
        return;
    }
    if (head.moment == LinkMoment::answer) waiting.erase(head.number);
    if (const auto asked = asked_.find(command); asked != asked_.end()) {
        took_ = std::max(took_, std::chrono::duration_cast<Duration>(at - asked->second));
        asked_.erase(asked);
    }
}

}  // namespace locklab
