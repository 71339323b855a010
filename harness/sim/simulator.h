// The timed drive of a cluster: virtual time, a queue of events, and the faults of a plan. Same
// configuration and same choices: same run, to the byte.
//
// Invariant: at most one event that would end a wait is in the queue for each ticket. A time-out is
// put into it only once it is certain that no reply comes before.
#pragma once

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

    /// Runs to the end: all clients finished or crashed, or nobody granted for `patience`. Throws
    /// BoundHit, as does step(), if it has recorded more than kMostEvents.
    void run();
    /// One step: a request is executed, a reply reaches its client, or a timer fires. False if
    /// the run has ended.
    bool step();
    std::uint64_t steps() const { return steps_; }
    Cluster& cluster() { return cluster_; }

    /// What was recorded; the caller fills in seed and run. Call it once, after the run.
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
    /// The client will give up on the message: its time-out goes into the queue.
    void push_expiry(std::uint32_t message);
    void push_expiry_if_certain(std::uint32_t message);
    void push_reply(const Move& move, Instant earliest);
    /// A client makes its move, unless it is held up or a fault strikes now.
    void let_move(const Move& move);
    std::string draw_key(NodeId server);
    /// If it is held up, the move is in the queue again.
    bool put_off(const Move& move);
    /// The regular pauses that have begun by now. One that is over before its client makes a move
    /// was not noticed, so it is early enough to draw them here.
    void pause_regularly();

    const SimConfig config_;
    std::vector<Workload> workloads_;  ///< of each client
    Choices& choices_;
    EventQueue queue_;
    FaultSchedule faults_;
    std::uint64_t steps_ = 0;
    std::uint64_t regular_pauses_ = 0;
    PassedOver passed_over_;
    Cluster cluster_;
};

}  // namespace locklab
