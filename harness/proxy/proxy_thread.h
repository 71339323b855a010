// The fault proxy in a thread of its own, for who has to do something else meanwhile.
#pragma once

#include <atomic>
#include <future>
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
    /// Closes everything. What follows may be asked after it.
    void stop();
    /// A log as EventReader reads it.
    const std::string& events() const { return events_; }
    const std::vector<std::string>& complaints() const { return complaints_; }

private:
    void serve(ProxyPlan plan, bool keeps_events, std::promise<std::vector<Endpoint>>& opened);

    std::vector<Endpoint> endpoints_;
    std::string events_;
    std::vector<std::string> complaints_;
    std::atomic<bool> over_{false};
    std::thread thread_;
};

}  // namespace locklab
