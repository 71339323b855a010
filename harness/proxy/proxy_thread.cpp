#include "harness/proxy/proxy_thread.h"

#include <exception>
#include <utility>

#include "harness/core/assert.h"
#include "harness/live/reactor.h"

namespace locklab {

ProxyThread::ProxyThread(ProxyPlan plan, bool keeps_events) {
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

void ProxyThread::serve(ProxyPlan plan, bool keeps_events,
                        std::promise<std::vector<Endpoint>>& opened) {
    Reactor reactor;
    EventLog::Sink keep;
    if (keeps_events) keep = [this](std::string_view bytes) { events_.append(bytes); };
    EventLog events(std::move(keep));
    const std::size_t links = plan.links.size();
    try {
        FaultProxy proxy(reactor, std::move(plan), events,
                         [this](const std::string& sentence) { complaints_.push_back(sentence); });
        std::vector<Endpoint> endpoints;
        for (std::size_t i = 0; i < links; ++i) endpoints.push_back(proxy.endpoint(i));
        LOCKLAB_ASSERT(uv_async_init(reactor.loop(), &bell_, nullptr) == 0);
        has_bell_ = true;
        opened.set_value(std::move(endpoints));
        while (!over_) {
            reactor.turn();
            obey(proxy);
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
