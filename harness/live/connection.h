// A client's connection to Redis, which lasts: it opens when it is first used, and again after
// it broke. Whoever lets a caller wait for a reply in vain is replaced.
#pragma once

#include <deque>
#include <vector>

#include "harness/live/call.h"
#include "harness/live/link.h"
#include "harness/live/reactor.h"

namespace locklab {

class Connection final : public Reactor::Sleeper {
public:
    Connection(Upstream& upstream, CallListener& listener)
        : upstream_(upstream), listener_(listener) {}
    ~Connection() { upstream_.reactor.forget(*this); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// The listener is told what became of it; never from inside this call.
    void send(Call& call);

    /// The link over which a request that is sent now, and delayed by the network, will arrive.
    /// Null if there is no connection. Links that are reserved stay, even after close().
    Link* reserve();

    /// What is sent from now on goes over a new connection, as after a client's timeout. The old
    /// one stays open until its replies came, so that what the server did late is still known.
    void retire();

    /// Closes everything. Nothing is answered any more.
    void close();

    void wake(const Reactor::Alarm& alarm) override;

private:
    struct Waiting {
        Call* call;
        std::uint32_t attempt;
    };

    bool open();
    bool try_send(const Waiting& waiting);
    void wait(const Waiting& waiting);

    Upstream& upstream_;
    CallListener& listener_;
    Link::Ptr link_;
    std::vector<Link::Ptr> retired_;
    /// Calls for which there was no link: they are sent, or answered Unknown, at the alarm.
    std::deque<Waiting> waiting_;
    bool alarm_set_ = false;
    bool refused_ = false;
};

}  // namespace locklab
