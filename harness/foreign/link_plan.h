// The planned message faults of one run as rules of its proxy. A rule is open while its client is
// in the planned phase, in the planned round or a later one; it counts the commands that name the
// lock's key and go to its node.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/core/choices.h"
#include "harness/core/fault.h"
#include "harness/proxy/link_fault.h"

namespace locklab {

/// "A", "B", ...
std::string link_name(ClientId client);
/// "redis 1", "redis 2", ...
std::string node_name(NodeId node);

class LinkPlan {
public:
    struct Terms {
        std::string key;    ///< empty: what goes over the links is not read, and all of it counts
        Duration retry{0};  ///< time after which a command is sent again
        std::uint32_t nodes = 1;
    };
    /// Draws how each fault shows (reset: before or after the command runs; late: held up, or it
    /// outlives its connection) and the node that it strikes at.
    LinkPlan(std::span<const PlannedFault> plan, const Terms& terms, Choices& choices);

    const std::vector<FaultRule>& rules() const { return rules_; }
    void turn(ClientId client, std::uint32_t round, Phase phase);
    bool strikes(ClientId client) const;
    /// Strikes on the way to this node, or back.
    bool strikes(ClientId client, NodeId node) const;

    static Hazard hazard_of(LinkFault fault);
    /// Whether each form of the hazard can be made where the protocol is not RESP.
    static bool strikes_bytes(Hazard hazard);

private:
    struct Gate {
        Moment moment;
        NodeId node;
        std::shared_ptr<std::atomic<bool>> open;
    };
    std::vector<FaultRule> rules_;
    std::vector<Gate> gates_;
};

}  // namespace locklab
