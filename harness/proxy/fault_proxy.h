// The fault proxy: it listens at one address for each client and node, which tells it who connects,
// and connects each client to its node.
#pragma once

#include <uv.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/live/reactor.h"
#include "harness/proxy/event_log.h"
#include "harness/proxy/link_connection.h"
#include "harness/proxy/link_fault.h"
#include "harness/proxy/link_gate.h"

namespace locklab {

struct ProxyPlan {
    std::vector<ProxyLink> links;
    std::vector<FaultRule> rules;
    LinkGate* gate = nullptr;  ///< null: nothing is held. Must outlive the proxy
    /// Most bytes held for all connections together.
    std::size_t most_held = kMostHeldByProxy;
};

class FaultProxy final : public Reactor::Writer {
public:
    /// Listens from now on; turns of the reactor, which must outlive this, serve it. Throws
    /// std::runtime_error with one sentence if it cannot listen.
    FaultProxy(Reactor& reactor, ProxyPlan plan, EventLog& events,
               std::function<void(const std::string& sentence)> complain = {});
    /// Closes everything.
    ~FaultProxy();
    FaultProxy(const FaultProxy&) = delete;
    FaultProxy& operator=(const FaultProxy&) = delete;

    /// The address at which the client of this link finds its node.
    Endpoint endpoint(std::size_t link) const;
    /// Number of connections so far.
    std::uint32_t connections() const { return last_; }
    /// Number of commands so far that fitted each rule.
    const std::vector<std::uint64_t>& fitted() const { return rules_.fitted(); }

    /// The frame held there goes on, struck by `fault`; null: by none. An answer can be lost, or
    /// its connection reset; it is late simply by being held. A command with a delay of kUntilTold,
    /// also as a repetition, is held once more. False: nothing is held there.
    bool go_on(std::uint32_t connection, LinkWay way, const FaultRule* fault = nullptr);
    /// Ends the connection as a network that lost it would. False: it has ended already.
    bool reset(std::uint32_t connection);
    /// Resets all connections of the link.
    void cut(std::size_t link);
    /// From now on the link leads to this node; its present connections are reset.
    void lead(std::size_t link, const Endpoint& node);

    void flush() override;

private:
    struct Listener {
        uv_tcp_t handle{};
        FaultProxy* proxy = nullptr;
        std::uint16_t link = 0;
    };

    void listen(std::uint16_t link);
    void close();
    void take(Listener& listener);
    void end_largest();
    void over(const LinkConnection& connection);

    Reactor& reactor_;
    ProxyPlan plan_;
    RuleBook rules_;
    LinkConnection::Services services_;
    std::vector<Listener*> listeners_;
    std::map<std::uint32_t, std::unique_ptr<LinkConnection>> connections_;
    std::vector<std::uint32_t> over_;
    std::uint32_t last_ = 0;
};

}  // namespace locklab
