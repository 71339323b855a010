#include "harness/foreign/link_record.h"

#include <algorithm>
#include <sstream>

namespace locklab {

LinkRecord::LinkRecord(const std::string& log, const LinkTable& table, const std::string& key,
                       Clock::time_point since, LinkCommands& commands)
    : table_(table), commands_(table.nodes()) {
    std::istringstream in(log);
    EventReader reader(in);
    while (const std::optional<LinkEvent> event = reader.next()) {
        commands.see(*event);
        const EventHead& head = event->head;
        const Clock::time_point at{std::chrono::nanoseconds(head.at_ns)};
        if (at < since) continue;
        const NodeId node = table.node_of(head.link);
        slowest_[head.link].see(*event);
        const bool is_counted =
            head.moment == LinkMoment::request && event->bytes.find(key) != std::string::npos;
        if (is_counted) ++commands_[node.value];
    }
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
