// The faults of messages of one run as rules of its proxy. A rule is open while its client is in
// the phase, and the round or a later one, that was planned; it counts the commands that name the
// lock's key.
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

class LinkPlan {
public:
    struct Terms {
        std::string key;
        Duration retry{0};  ///< after which a command comes again
    };
    /// A lost message is a black hole or a reset, a late one is held up or outlives its
    /// connection: drawn.
    LinkPlan(std::span<const PlannedFault> plan, const Terms& terms, Choices& choices);

    const std::vector<FaultRule>& rules() const { return rules_; }
    void turn(ClientId client, std::uint32_t round, Phase phase);
    bool strikes(ClientId client) const;

    static Hazard hazard_of(LinkFault fault);

private:
    struct Gate {
        Moment moment;
        std::shared_ptr<std::atomic<bool>> open;
    };
    std::vector<FaultRule> rules_;
    std::vector<Gate> gates_;
};

}  // namespace locklab
