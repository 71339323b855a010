// Two drivers of a library under trial, with a redis-server of their own. Any wrong answer becomes
// a TrialSurprise, at whatever depth.
#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/core/reply.h"
#include "harness/core/watcher.h"
#include "harness/driver/driver.h"
#include "harness/driver/idle_watch.h"
#include "harness/foreign/gate_inbox.h"
#include "harness/foreign/library.h"
#include "harness/foreign/link_table.h"
#include "harness/foreign/own_servers.h"
#include "harness/live/redis_process.h"
#include "harness/proxy/proxy_thread.h"

namespace locklab {

/// Wrong behaviour: `what()` is a sentence.
class TrialSurprise : public std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// The trial was stopped without a result: `what()` says why.
class TrialStopped : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

class TrialPair {
    /// Between the two drivers and these servers: it notes who changes one.
    struct Network {
        Network(std::vector<Endpoint> servers, std::optional<NodeId> down);

        const std::vector<Endpoint> servers;
        const std::optional<NodeId> down;  ///< drivers are told of it without a proxy: it refuses
        LinkTable links;
        GateInbox commands{GateInbox::kEveryCommand};
        ProxyThread proxy;
    };

protected:
    using Clock = std::chrono::steady_clock;  // of real processes
    using Json = nlohmann::ordered_json;
    using DriverPtr = std::unique_ptr<Driver>;

    TrialPair(const Library& library, Duration ttl, const Watcher& watcher);

    /// Starts new processes.
    void begin();
    /// From the next open() on, drivers use these servers, of which one may be down.
    void use(const std::vector<Endpoint>& servers, std::optional<NodeId> down = {});
    /// The servers that drivers use.
    const std::vector<Endpoint>& nodes() const { return networks_.back()->servers; }
    /// All servers that drivers use answer no more, though connections stay.
    void stop_servers();
    void kill_servers();
    /// Does it; throws TrialSurprise if a driver has changed a server.
    template <class Do>
    void without_operator(const Do& what) {
        try {
            what();
        } catch (const std::runtime_error&) {
            blame_operator();
            throw;
        }
        blame_operator();
    }
    static void expect(bool is_so, const std::string& otherwise);
    /// It may not say that nothing has happened.
    static void expect_unsure(const DriverAnswer& answer);
    static Reply tell(const Endpoint& node, const char* command);
    /// Of several servers, while the lock is held. False: it may have run out meanwhile.
    bool most_have_a_key();
    /// Nothing if the driver is silent for this long, or, as the watch says, does nothing at all.
    std::optional<DriverAnswer> hear(DriverPtr& driver, Duration limit, IdleWatch* idle = nullptr);
    DriverAnswer ask(DriverPtr& driver, DriverOp op, const Json& more = nullptr);
    DriverAnswer answer_to(DriverPtr& driver, DriverOp op, const Json& more);
    /// Opens both with a new key.
    void open(bool renew);
    /// A try that does not wait. With several servers it may end in an error: one of them can be
    /// down.
    bool acquire(DriverPtr& driver);
    void take_and_release(DriverPtr& driver);
    /// Checks the time of a try that was told not to wait. A step, which needs no server, shows how
    /// late this machine is.
    void see_whether_it_waits(Clock::duration took);
    /// A try whose caller cancels it is answered, at the latest when the server goes on.
    void check_cancelling();
    /// A driver cannot tell before its library does: what is late, or never comes, is a note.
    void note_telling(std::vector<std::string>& shown, std::vector<std::string>& notes);
    /// processor_wait() of both drivers.
    std::optional<Duration> processor_wait_of_both() const;
    /// How late locklab wakes now, at worst of some times.
    static Duration lateness_now();
    void wait(Duration time) { static_cast<void>(hear(first_, time)); }
    /// Of the present drivers.
    std::string stderr_of_both() const;

    /// A Java machine takes some seconds to start on a busy machine.
    static constexpr Duration kMostPatience = std::chrono::seconds(60);
    static constexpr Duration kSlice = std::chrono::milliseconds(50);

    const Library& library_;
    const Duration ttl_;
    const Watcher& watcher_;
    RedisProcess server_;
    std::unique_ptr<OwnServers> own_servers_;         ///< none: its lock is in Redis
    std::vector<std::unique_ptr<Network>> networks_;  ///< earlier ones may still have connections
    DriverPtr first_;
    DriverPtr second_;
    Duration patience_ = kMostPatience;
    int keys_ = 0;

private:
    void blame_operator();
    Json nodes_of(ClientId client) const;
};

}  // namespace locklab
