// The timed drive of a cluster: virtual time, a queue of events, and the faults of a plan. Equal
// configuration and choices give an equal run, byte for byte.
//
// Invariant: the queue holds at most one event per ticket that would end its wait. A time-out is
// queued only once it is certain that no reply comes before it.
#pragma once

#include <map>

#include "harness/cluster/cluster.h"
#include "harness/core/passed_over.h"
#include "harness/sim/event_queue.h"
#include "harness/sim/latency.h"

namespace locklab {

struct SimConfig : ClusterConfig, RunRounds {
    Latency latency{};
    std::vector<PlannedFault> plan{};
};

class Simulator final : private Agenda {
public:
    /// `choices` and `scripts` must outlive the simulator.
    Simulator(const SimConfig& config, Choices& choices, ScriptEngine& scripts);
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;

    /// Runs to the end: all clients have finished or crashed, or no grant came for `patience`.
    /// run() and step() throw BoundHit after more than kMostEvents recorded events.
    void run();
    /// One step: a request is executed, a reply reaches its client, or a timer fires. False if the
    /// run has ended.
    bool step();
    std::uint64_t steps() const { return steps_; }
    Cluster& cluster() { return cluster_; }

    /// The recorded history; the caller fills in seed and run. Call it once, after the run.
    History take_history();

private:
    void is_ready(std::uint32_t message) override;
    void armed(const Move& move, const Window& window) override;
    Choices& choices() override { return choices_; }
    void noted(const Event& event) override { passed_over_.see(event.client, event.detail); }
    bool enough(ClientId client) override {
        return cluster_.value().grants >= config_.grants && !passed_over_.is(client);
    }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round) override {
        return faults_.slow_job(client, round);
    }

    Instant draw_learning(Instant earliest);
    Instant draw_from(Instant earliest) { return earliest + config_.latency.draw(choices_); }
    void push(Instant at, const Move& move) { queue_.push({at, 0, move}); }
    /// The client will give up on the message: queues the time-out.
    void push_expiry(std::uint32_t message);
    void push_expiry_if_certain(std::uint32_t message);
    void push_reply(const Move& move, Instant earliest);
    /// Makes a client's move, unless the client is held up or a fault strikes now.
    void let_move(const Move& move);
    std::string draw_key(NodeId server);
    /// If its server hangs, puts the arrival back into the queue for later, and returns true.
    bool waits_at_server(std::uint32_t message);
    /// If it is held up, the move is in the queue again.
    bool put_off(const Move& move);
    /// Starts the regular pauses that are due by now. A pause that is over before its client's next
    /// move has no effect, so drawing them here is early enough.
    void pause_regularly();

    const SimConfig config_;
    std::vector<Workload> workloads_;  ///< of each client
    Choices& choices_;
    EventQueue queue_;
    FaultSchedule faults_;
    std::uint64_t steps_ = 0;
    std::uint64_t regular_pauses_ = 0;
    struct Queue {
        Instant goes_on;  ///< when the hang ends for which requests wait
        Instant last;     ///< arrival of the last of them
    };
    std::map<NodeId, Queue> queues_;
    PassedOver passed_over_;
    Cluster cluster_;
};

}  // namespace locklab
