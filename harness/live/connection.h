// A client's lasting connection to Redis: it opens on first use, and again after it broke. After a
// time-out it is replaced.
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

    /// The listener is told the result; never from inside this call.
    void send(Call& call);

    /// The link for a request that is sent now and delayed by the network. Null if there is no
    /// connection. Reserved links stay, even after close().
    Link* reserve();

    /// Later commands use a new connection, as after a client's time-out. The old one stays open
    /// until its replies have come, so that what the server did late is still known.
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
    /// Calls without a link: at the alarm they are sent, or answered Unknown.
    std::deque<Waiting> waiting_;
    bool alarm_set_ = false;
    bool refused_ = false;
};

}  // namespace locklab
