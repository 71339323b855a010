// The fault proxy in a thread of its own, for who has to do something else meanwhile.
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
    explicit ProxyThread(ProxyPlan plan, bool keeps_events = true);
    ~ProxyThread() { stop(); }
    ProxyThread(const ProxyThread&) = delete;
    ProxyThread& operator=(const ProxyThread&) = delete;

    const Endpoint& endpoint(std::size_t link) const { return endpoints_[link]; }
    /// Runs in the proxy's thread, as soon as it can, after those that were posted before. It may
    /// not throw.
    using Order = std::function<void(FaultProxy& proxy)>;
    void post(Order order);
    /// Closes everything. What follows may be asked after it.
    void stop();
    /// A log as EventReader reads it.
    const std::string& events() const { return events_; }
    const std::vector<std::string>& complaints() const { return complaints_; }

private:
    void serve(ProxyPlan plan, bool keeps_events, std::promise<std::vector<Endpoint>>& opened);

    void wake_up();
    void obey(FaultProxy& proxy);

    std::vector<Endpoint> endpoints_;
    std::string events_;
    std::vector<std::string> complaints_;
    std::atomic<bool> over_{false};
    std::mutex mutex_;
    std::vector<Order> orders_;
    uv_async_t bell_{};
    bool has_bell_ = false;  ///< it may be rung
    std::thread thread_;
};

}  // namespace locklab
