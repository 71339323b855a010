// One `open` of the driver of our own locks: a lock with its client, its connections, and its
// commands in flight.
//
// 1. The client's worker waits for requests, and does one thing at a time.
// 2. A command is settled once: by its reply, or by its time-out. After a time-out the client uses
// a new connection, as a library does.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/lock.h"
#include "harness/core/machine.h"
#include "harness/foreign/shared_mutex.h"
#include "harness/live/call.h"
#include "harness/live/connection.h"
#include "harness/live/reactor.h"
#include "harness/live/real_host.h"
#include "harness/store/store.h"

namespace locklab {

class OwnSession final : public Reactor::Sleeper, public CallListener, private Faultless {
public:
    struct Opening {
        Key key;
        LockOptions options;
        std::vector<Endpoint> nodes;
        Duration timeout{0};  ///< of a command
    };
    struct Listener {
        std::function<void(Acquired outcome)> acquired;
        std::function<void(Release outcome)> released;
        std::function<void()> lost;
    };

    OwnSession(const Algorithm& algorithm, Opening opening, Reactor& reactor, Listener listener);
    ~OwnSession();

    /// The result goes to the listener, perhaps before the call returns.
    void acquire() { ask(Wish::acquire); }
    void release() { ask(Wish::release); }
    /// Whether its lock has reported its loss.
    bool has_lost() const { return machine_.has_lost(); }

    void answered(Call& call, std::uint32_t attempt, Reply reply) override;
    void disconnected(const std::string&) override {}
    void wake(const Reactor::Alarm& alarm) override;

private:
    enum class Wish : std::uint8_t { acquire, release };
    enum Kind : std::uint32_t { slept, timed_out, oracle_answered };
    friend RealHost<OwnSession>;

    static Task<> serve(OwnSession& session);
    void ask(Wish wish);
    void sleep(const Waiter& waiter, Duration time);
    void send(const Waiter& waiter, NodeId server, Command& command);
    void ask_oracle(const Waiter& waiter, const Command& command);
    void noted(ClientId client, Phase phase, EventDetail&& detail, ResourceId resource);
    void threw(TaskId task, const std::string& words);
    void settle(Call& call, Reply reply);
    Connection& connection_of(TaskId task, NodeId node) {
        return *connections_[node.value * kChannels + static_cast<std::size_t>(channel_of(task))];
    }

    const Opening opening_;
    Reactor& reactor_;
    const Listener listener_;
    RealHost<OwnSession> host_;
    std::vector<std::unique_ptr<Upstream>> upstreams_;
    std::vector<std::unique_ptr<Connection>> connections_;  ///< by node
    Calls calls_;
    std::uint64_t last_call_ = 0;
    SharedMutex oracle_;
    Machine machine_;
    std::unique_ptr<Lock> lock_;
    Wish wish_ = Wish::acquire;
    std::uint32_t waits_ = 0;  ///< ticket of the worker's wait for a request
};

}  // namespace locklab
