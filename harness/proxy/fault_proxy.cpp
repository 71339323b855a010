#include "harness/proxy/fault_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/core/assert.h"

namespace locklab {

namespace {

constexpr int kBacklog = 1024;

/// Some congestion control algorithms hold packets back for a while. Only the proxy should delay a
/// link.
void send_at_once(const uv_tcp_t& listener) {
    uv_os_fd_t file = -1;
    if (uv_fileno(reinterpret_cast<const uv_handle_t*>(&listener), &file) != 0) return;
    setsockopt(file, IPPROTO_TCP, TCP_CONGESTION, "reno", 4);
}

/// Connections that this process can have: each takes two files, and half of all files are for
/// other purposes.
std::size_t most_connections() {
    rlimit files{};
    LOCKLAB_ASSERT(getrlimit(RLIMIT_NOFILE, &files) == 0);
    return std::min(kMostConnections, static_cast<std::size_t>(files.rlim_cur / 4));
}

sockaddr_storage address_of(const Endpoint& endpoint) {
    sockaddr_storage address{};
    if (uv_ip4_addr(endpoint.host.c_str(), endpoint.port,
                    reinterpret_cast<sockaddr_in*>(&address)) != 0) {
        LOCKLAB_ASSERT(uv_ip6_addr(endpoint.host.c_str(), endpoint.port,
                                   reinterpret_cast<sockaddr_in6*>(&address)) == 0);
    }
    return address;
}

}  // namespace

FaultProxy::FaultProxy(Reactor& reactor, ProxyPlan plan, EventLog& events,
                       std::function<void(const std::string&)> complain)
    : reactor_(reactor),
      plan_(std::move(plan)),
      rules_(plan_.rules),
      services_{reactor,
                rules_,
                events,
                complain ? std::move(complain) : [](const std::string&) {},
                [this](LinkConnection& connection) { over(connection); },
                plan_.gate,
                0,
                plan_.most_held,
                [this] { end_largest(); },
                std::vector<Reactor::Clock::time_point>(plan_.links.size())} {
    try {
        for (std::size_t i = 0; i < plan_.links.size(); ++i) {
            listen(static_cast<std::uint16_t>(i));
        }
    } catch (...) {
        close();
        throw;
    }
}

FaultProxy::~FaultProxy() { close(); }

void FaultProxy::close() {
    for (Listener* listener : listeners_) {
        uv_close(reinterpret_cast<uv_handle_t*>(&listener->handle),
                 [](uv_handle_t* closed) { delete static_cast<Listener*>(closed->data); });
    }
    reactor_.forget(static_cast<const Reactor::Writer&>(*this));
}

void FaultProxy::listen(std::uint16_t link) {
    const ProxyLink& row = plan_.links[link];
    auto* listener = new Listener{{}, this, link};
    listeners_.push_back(listener);
    LOCKLAB_ASSERT(uv_tcp_init(reactor_.loop(), &listener->handle) == 0);
    listener->handle.data = listener;
    const sockaddr_storage address = address_of(row.listen);
    const auto came = [](uv_stream_t* stream, int error) {
        auto& at = *static_cast<Listener*>(stream->data);
        if (error == 0) at.proxy->take(at);
    };
    int error = uv_tcp_bind(&listener->handle, reinterpret_cast<const sockaddr*>(&address), 0);
    auto* stream = reinterpret_cast<uv_stream_t*>(&listener->handle);
    if (error == 0) send_at_once(listener->handle);
    if (error == 0) error = uv_listen(stream, kBacklog, came);
    if (error == 0) return;
    throw std::runtime_error("The proxy cannot listen at " + to_string(row.listen) + " (" +
                             uv_strerror(error) + ").");
}

Endpoint FaultProxy::endpoint(std::size_t link) const {
    Endpoint endpoint = plan_.links[link].listen;
    sockaddr_storage address{};
    int size = sizeof address;
    LOCKLAB_ASSERT(uv_tcp_getsockname(&listeners_[link]->handle,
                                      reinterpret_cast<sockaddr*>(&address), &size) == 0);
    // The port is at the same place for IPv6.
    endpoint.port = ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
    return endpoint;
}

void FaultProxy::take(Listener& listener) {
    auto* stream = reinterpret_cast<uv_stream_t*>(&listener.handle);
    const std::uint32_t number = ++last_;
    auto& connection = connections_[number];
    connection = std::make_unique<LinkConnection>(services_, plan_.links[listener.link],
                                                  LinkConnection::Names{listener.link, number});
    // One client that opens connections without end takes none of the others'.
    const auto its = std::ranges::count_if(
        connections_, [&](const auto& each) { return each.second->link() == listener.link; });
    const std::size_t share = most_connections() / plan_.links.size();
    const auto before = static_cast<std::size_t>(its) - 1;
    if (before == share) {
        const LinkName& name = plan_.links[listener.link].name;
        services_.complain(name.client + " has more than " + std::to_string(share) +
                           " connections to " + name.node + ", which is its share; those beyond " +
                           "were ended.");
    }
    connection->open(stream, before < share);
}

bool FaultProxy::go_on(std::uint32_t connection, LinkWay way, const FaultRule* fault) {
    const auto found = connections_.find(connection);
    return found != connections_.end() && found->second->go_on(way, fault);
}

bool FaultProxy::reset(std::uint32_t connection) {
    const auto found = connections_.find(connection);
    return found != connections_.end() && found->second->reset();
}

void FaultProxy::lead(std::size_t link, const Endpoint& node) {
    plan_.links[link].node = node;
    cut(link);
}

void FaultProxy::cut(std::size_t link) {
    for (const auto& [number, connection] : connections_) {
        if (connection->link() == link) connection->reset();
    }
}

void FaultProxy::end_largest() {
    const auto largest = std::max_element(
        connections_.begin(), connections_.end(),
        [](const auto& a, const auto& b) { return a.second->held() < b.second->held(); });
    largest->second->end_for_its_size();
}

void FaultProxy::over(const LinkConnection& connection) {
    over_.push_back(connection.number());
    if (over_.size() == 1) reactor_.flush_soon(*this);
}

void FaultProxy::flush() {
    for (const std::uint32_t number : over_) connections_.erase(number);
    over_.clear();
}

}  // namespace locklab
