#include "harness/proxy/proxy_thread.h"

#include <exception>
#include <utility>

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
    if (thread_.joinable()) thread_.join();
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
        opened.set_value(std::move(endpoints));
        while (!over_) reactor.turn();
    } catch (...) {
        opened.set_exception(std::current_exception());
    }
    events.flush();
}

}  // namespace locklab
