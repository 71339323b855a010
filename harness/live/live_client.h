// One client of a live run: its machine, its connections, and the faults that strike it.
//
// 1. Every observation of the client passes observe(), where a pause may hold it, and then take(),
// where a fault may strike.
// 2. A call is settled once: by a reply that reaches the client, or by its deadline. What comes
// later is only noted in the history. A wait for all servers has one call for each server.
// 3. After a crash the machine observes nothing, and only calls that a fault delayed are left: they
// are in the network, which does not know of the crash.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "harness/core/lock.h"
#include "harness/core/machine.h"
#include "harness/live/call.h"
#include "harness/live/connection.h"
#include "harness/live/inbox.h"
#include "harness/live/live_run.h"
#include "harness/live/reactor.h"
#include "harness/live/real_host.h"

namespace locklab {

class LiveClient final : public Reactor::Sleeper, public CallListener {
public:
    /// `process`: the first task of its process; null: it is that task itself.
    LiveClient(ClientId id, Host& host, LiveRun& run, LiveClient* process = nullptr);
    ~LiveClient();
    LiveClient(const LiveClient&) = delete;
    LiveClient& operator=(const LiveClient&) = delete;

    /// The client that the locks of its process are made for.
    Client& machine() { return machine_; }
    /// `locks` must outlive it, since its tasks use them.
    void start(const Locks& locks);
    /// Sets all tasks of its process: a fault of a client strikes all of them.
    void share_fate(std::span<const std::unique_ptr<LiveClient>> process) { process_ = process; }
    /// See RealHost.
    void sleep(const Waiter& waiter, Duration time);
    void send(const Waiter& waiter, NodeId server, Command& command);
    void ask_oracle(const Waiter& waiter, Command& command);
    /// How far its wall clock is off.
    Duration clock_offset() const { return clock_offset_; }
    /// After this time it learns that the replica has taken over.
    void learn_after(Duration time) { reactor().wake_after(time, *this, {learns}); }

    void answered(Call& call, std::uint32_t attempt, Reply reply) override;
    void disconnected(const std::string& why) override;
    void wake(const Reactor::Alarm& alarm) override;

private:
    /// Purposes of alarms.
    enum Kind : std::uint32_t {
        slept,
        oracle_answered,
        deadline,
        delay_over,
        reply_comes,
        pause_over,
        learns
    };

    bool is_guarded_off(const Command& command) const;
    void transmit(Call& call);
    void arrive_late(Call& call);
    void tell(Call& call, Reply reply);
    void tell_soon(Call& call, Reply reply);
    void strike_message(Call& call, const PlannedFault& fault);
    bool is_cut_from(NodeId node) const;
    void lose_request(Call& call);
    void cut_link(TaskId task, NodeId node, const PlannedFault& fault);
    bool send_again(const Observation& observation);
    void give_up_overdue();
    void watch_deadlines();

    void observe(Observation&& observation);
    void take(Observation&& observation);
    bool strike(Observation& observation);
    void await_resumption(Inbox& inbox);
    void resume(Inbox& inbox);
    void make_fault(const PlannedFault& fault, TaskId task);
    void make_server_fault(const PlannedFault& fault, TaskId task);
    void evict(const PlannedFault& fault, TaskId task);
    void flush(const PlannedFault& fault, TaskId task);
    void crash();
    void learn();
    /// The node that its lock means by a server.
    NodeId node_for(NodeId server) const {
        return run_.config.topology.replicas > 0 ? master_ : server;
    }

    void note(TaskId task, EventDetail detail, NodeId node = {});
    void note_refusal(const std::string& error);
    Reactor& reactor() { return run_.reactor; }
    Inbox& inbox_of(TaskId task) { return inboxes_[task.is_worker() ? 0 : 1]; }
    Connection& connection_of(TaskId task, NodeId node) {
        return *connections_[node.value * kChannels + static_cast<std::size_t>(channel_of(task))];
    }

    LiveRun& run_;
    Machine machine_;
    const Workload workload_;
    std::span<const std::unique_ptr<LiveClient>> process_;  ///< all tasks, including this one
    Duration clock_offset_;
    std::vector<std::unique_ptr<Connection>> connections_;  ///< by node, and by channel
    /// Until when nothing gets through to each node: of the first task, for its whole process.
    std::vector<Instant> cut_until_;
    NodeId master_;  ///< the node that it sends to, if there is one master and a replica
    Calls calls_;
    bool watching_ = false;  ///< an alarm is set for the earliest deadline
    std::array<Inbox, 2> inboxes_;
    std::deque<Observation> oracle_answers_;
};

}  // namespace locklab
