// What went over the links of a run, by the log of its proxy: how many commands named the lock's
// key, and how long each server took to answer each client.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/foreign/link_commands.h"
#include "harness/foreign/link_table.h"
#include "harness/foreign/slowest_answer.h"

namespace locklab {

class LinkRecord {
public:
    using Clock = std::chrono::steady_clock;

    /// `log`: as EventReader reads it. What was before `since` is left out. `commands` sees it all.
    LinkRecord(const std::string& log, const LinkTable& table, const std::string& key,
               Clock::time_point since, LinkCommands& commands);

    /// By node: that named the key.
    const std::vector<std::uint64_t>& commands() const { return commands_; }
    /// Of the links that are not left out.
    Duration slowest_answer(const std::function<bool(ClientId, NodeId)>& left_out) const;

private:
    const LinkTable table_;
    std::vector<std::uint64_t> commands_;
    std::map<std::uint32_t, SlowestAnswer> slowest_;  ///< by link
};

}  // namespace locklab
