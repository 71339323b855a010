#include "harness/failover/slow_link.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "harness/live/processors.h"
#include "harness/proxy/fault_proxy.h"

namespace locklab {

namespace {

constexpr Duration kBeat = std::chrono::milliseconds(1);

/// An alarm of its own for each millisecond: a thread that does not run is late for these, whether
/// or not there is something to pass on.
class Heart final : public Reactor::Sleeper {
public:
    Heart(Reactor& reactor, std::atomic<std::uint64_t>& beats) : reactor_(reactor), beats_(beats) {
        reactor_.wake_after(kBeat, *this, {});
    }
    ~Heart() { reactor_.forget(*this); }
    Heart(const Heart&) = delete;
    Heart& operator=(const Heart&) = delete;

    void wake(const Reactor::Alarm&) override {
        ++beats_;
        reactor_.wake_after(kBeat, *this, {});
    }

private:
    Reactor& reactor_;
    std::atomic<std::uint64_t>& beats_;
};

}  // namespace

SlowLink::SlowLink(const Endpoint& master, Duration lag) {
    std::promise<Endpoint> opened;
    std::future<Endpoint> endpoint = opened.get_future();
    thread_ = std::thread([this, &master, lag, &opened] { serve(master, lag, opened); });
    try {
        endpoint_ = endpoint.get();
    } catch (...) {
        thread_.join();
        throw;
    }
}

SlowLink::~SlowLink() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
}

/// The second turn with a beat from now on began after this call.
Duration SlowLink::take_worst_lag() {
    const std::uint64_t before = turns_;
    while (turns_ < before + 2) std::this_thread::sleep_for(kBeat);
    return Duration(worst_us_.exchange(0));
}

void SlowLink::serve(const Endpoint& master, Duration lag, std::promise<Endpoint>& opened) {
    const BeforeOthers prompt;
    Reactor reactor;
    EventLog events;
    ProxyPlan plan;
    plan.links.push_back({{"replica", "master"}, {"", "127.0.0.1", 0}, master, true, lag});
    try {
        FaultProxy proxy(reactor, std::move(plan), events);
        opened.set_value(proxy.endpoint(0));
        const Heart heart(reactor, beats_);
        while (!over_) {
            const std::uint64_t before = beats_;
            reactor.turn();
            const std::int64_t late = us(reactor.take_worst_lag());
            if (late > worst_us_) worst_us_ = late;
            if (beats_ != before) ++turns_;
        }
    } catch (...) {
        opened.set_exception(std::current_exception());
    }
}

}  // namespace locklab
