#include "harness/proxy/proxy_thread.h"

#include <algorithm>
#include <exception>
#include <map>
#include <utility>

#include "harness/core/assert.h"
#include "harness/live/reactor.h"

namespace locklab {

ProxyThread::ProxyThread(ProxyPlan plan, bool keeps_events, std::size_t most_events)
    : most_events_(most_events) {
    std::promise<std::vector<Endpoint>> opened;
    std::future<std::vector<Endpoint>> endpoints = opened.get_future();
    thread_ = std::thread(
        [this, &plan, keeps_events, &opened] { serve(std::move(plan), keeps_events, opened); });
    try {
        endpoints_ = endpoints.get();
    } catch (...) {
        thread_.join();
        throw;
    }
}

void ProxyThread::stop() {
    over_ = true;
    wake_up();
    if (thread_.joinable()) thread_.join();
}

void ProxyThread::post(Order order) {
    {
        const std::lock_guard guard(mutex_);
        orders_.push_back(std::move(order));
    }
    wake_up();
}

void ProxyThread::wake_up() {
    const std::lock_guard guard(mutex_);
    if (has_bell_) uv_async_send(&bell_);
}

void ProxyThread::obey(FaultProxy& proxy) {
    std::vector<Order> orders;
    {
        const std::lock_guard guard(mutex_);
        orders.swap(orders_);
    }
    for (const Order& order : orders) order(proxy);
}

/// A log with a gap would show a run that never was.
void ProxyThread::give_up_log(EventLog& events, FaultProxy& proxy,
                              const std::vector<ProxyLink>& links) {
    events.stop();
    events_ = EventLog::kMagic;
    events_.shrink_to_fit();
    std::map<std::string_view, std::uint64_t> said;
    for (std::size_t i = 0; i < links.size(); ++i) said[links[i].name.client] += events.kept_of(i);
    const auto most = std::max_element(
        said.begin(), said.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    complaints_.push_back(std::string(most->first) + " was cut off: more went through the proxy " +
                          "than the " + std::to_string(most_events_ / 1'000'000) +
                          " MB that are kept of a run, and most of it was this client's");
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (links[i].name.client == most->first) proxy.cut(i);
    }
    said_too_much_ = true;
}

void ProxyThread::serve(ProxyPlan plan, bool keeps_events,
                        std::promise<std::vector<Endpoint>>& opened) {
    Reactor reactor;
    EventLog::Sink keep;
    if (keeps_events) keep = [this](std::string_view bytes) { events_.append(bytes); };
    EventLog events(std::move(keep));
    const std::vector<ProxyLink> links = plan.links;
    try {
        FaultProxy proxy(reactor, std::move(plan), events,
                         [this](const std::string& sentence) { complaints_.push_back(sentence); });
        std::vector<Endpoint> endpoints;
        for (std::size_t i = 0; i < links.size(); ++i) endpoints.push_back(proxy.endpoint(i));
        LOCKLAB_ASSERT(uv_async_init(reactor.loop(), &bell_, nullptr) == 0);
        has_bell_ = true;
        opened.set_value(std::move(endpoints));
        while (!over_) {
            reactor.turn();
            obey(proxy);
            if (events_.size() > most_events_) give_up_log(events, proxy, links);
        }
        const std::lock_guard guard(mutex_);
        has_bell_ = false;
        uv_close(reinterpret_cast<uv_handle_t*>(&bell_), nullptr);
    } catch (...) {
        opened.set_exception(std::current_exception());
    }
    events.flush();
}

}  // namespace locklab
