// Counts over the links of a run, from its proxy's log: commands that named the lock's key, and how
// long each server took to answer each client.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/foreign/link_table.h"
#include "harness/foreign/slowest_answer.h"

namespace locklab {

class LinkRecord {
public:
    using Clock = std::chrono::steady_clock;

    /// Events before `since` are left out.
    LinkRecord(const LinkTable& table, std::string key, Clock::time_point since)
        : table_(table), key_(std::move(key)), since_(since), commands_(table.nodes()) {}

    /// Call for every event of the log, in order.
    void see(const LinkEvent& event);

    /// Number of commands that named the key, by node.
    const std::vector<std::uint64_t>& commands() const { return commands_; }
    /// The slowest answer over all links that are not left out.
    Duration slowest_answer(const std::function<bool(ClientId, NodeId)>& left_out) const;

private:
    const LinkTable table_;
    const std::string key_;
    const Clock::time_point since_;
    std::vector<std::uint64_t> commands_;
    std::map<std::uint32_t, SlowestAnswer> slowest_;  ///< by link
};

}  // namespace locklab
