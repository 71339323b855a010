// The fault proxy in a thread of its own.
#pragma once

#include <uv.h>

#include <atomic>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "harness/proxy/fault_proxy.h"

namespace locklab {

class ProxyThread {
public:
    /// Listens when this returns. Throws as FaultProxy does.
    explicit ProxyThread(ProxyPlan plan, bool keeps_events = true,
                         std::size_t most_events = kMostLinkLog);
    ~ProxyThread() { stop(); }
    ProxyThread(const ProxyThread&) = delete;
    ProxyThread& operator=(const ProxyThread&) = delete;

    const Endpoint& endpoint(std::size_t link) const { return endpoints_[link]; }
    /// Runs in the proxy's thread, as soon as possible, after earlier orders. It must not throw.
    using Order = std::function<void(FaultProxy& proxy)>;
    void post(Order order);
    /// Closes everything. The functions below may be called after it.
    void stop();
    /// A log that EventReader can read. The caller may move from it.
    std::string& events() { return events_; }
    const std::string& events() const { return events_; }
    /// The log exceeded `most_events` bytes. It was thrown away, and the client with most bytes was
    /// cut off; a complaint names it. Can be called at any time.
    bool said_too_much() const { return said_too_much_; }
    const std::vector<std::string>& complaints() const { return complaints_; }

private:
    void serve(ProxyPlan plan, bool keeps_events, std::promise<std::vector<Endpoint>>& opened);
    void give_up_log(EventLog& events, FaultProxy& proxy, const std::vector<ProxyLink>& links);

    void wake_up();
    void obey(FaultProxy& proxy);

    std::vector<Endpoint> endpoints_;
    const std::size_t most_events_;
    std::string events_;
    std::vector<std::string> complaints_;
    std::atomic<bool> over_{false};
    std::atomic<bool> said_too_much_{false};
    std::mutex mutex_;
    std::vector<Order> orders_;
    uv_async_t bell_{};
    bool has_bell_ = false;  ///< post() may ring it
    std::thread thread_;
};

}  // namespace locklab
