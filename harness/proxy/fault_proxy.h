// The fault proxy: it listens at one address for each client and node, which is how it knows who
// speaks to whom, and connects each client to its node.
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
    LinkGate* gate = nullptr;  ///< null: nothing is held. It outlives the proxy
    /// Bytes that are held for all connections together.
    std::size_t most_held = kMostHeldByProxy;
};

class FaultProxy final : public Reactor::Writer {
public:
    /// More connections are closed as soon as they are opened.
    static constexpr std::size_t kMostConnections = 10'000;

    /// Listens from now on; it is served by turns of the reactor, which must outlive this. Throws
    /// std::runtime_error with one sentence where it cannot listen.
    FaultProxy(Reactor& reactor, ProxyPlan plan, EventLog& events,
               std::function<void(const std::string& sentence)> complain = {});
    /// Closes everything.
    ~FaultProxy();
    FaultProxy(const FaultProxy&) = delete;
    FaultProxy& operator=(const FaultProxy&) = delete;

    /// Where the client of this link finds its node.
    Endpoint endpoint(std::size_t link) const;
    /// How many there have been.
    std::uint32_t connections() const { return last_; }
    /// How many commands have fitted each rule.
    const std::vector<std::uint64_t>& fitted() const { return rules_.fitted(); }

    /// What is held there goes on, and `fault` strikes it; null: none does. An answer can be lost,
    /// or its connection reset; it is late for as long as it is held. A command that is late by
    /// kUntilTold, or repeated after that, is held once more. False: nothing is held there.
    bool go_on(std::uint32_t connection, LinkWay way, const FaultRule* fault = nullptr);
    /// Ends the connection as a network does that lost it. False: it is over.
    bool reset(std::uint32_t connection);
    /// The connections of the link are ended as those that are reset.
    void cut(std::size_t link);
    /// From here on the link leads to this node; the connections that it has end as those that are
    /// reset.
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
