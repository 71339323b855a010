#include "harness/foreign/link_record.h"

#include <algorithm>

namespace locklab {

void LinkRecord::see(const LinkEvent& event) {
    const EventHead& head = event.head;
    const Clock::time_point at{std::chrono::nanoseconds(head.at_ns)};
    if (at < since_) return;
    slowest_[head.link].see(event);
    const bool is_counted =
        head.moment == LinkMoment::request && event.bytes.find(key_) != std::string::npos;
    if (!is_counted) return;
    const std::size_t node = table_.node_at(head.link, at).value;
    if (node >= commands_.size()) commands_.resize(node + 1);
    ++commands_[node];
}

Duration LinkRecord::slowest_answer(const std::function<bool(ClientId, NodeId)>& left_out) const {
    Duration slowest{0};
    for (const auto& [link, answers] : slowest_) {
        if (left_out(table_.client_of(link), table_.node_of(link))) continue;
        slowest = std::max(slowest, answers.took());
    }
    return slowest;
}

}  // namespace locklab
