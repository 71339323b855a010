// The simulated world: virtual time, a network, one Redis server, clients with clocks of their
// own, and the faults of a plan. Same configuration and same choices: same run, to the byte.
//
// Invariants: 1. A message is in flight until it has arrived (or never will) and the client's wait
// has ended; then its slot is reused. 2. At most one event that would end a wait is in the
// queue for each ticket: where a reply will not come in time, a give_up or a resend is queued
// in its stead. 3. A machine is only ever run from deliver(), or when it starts.
#pragma once

#include <memory>
#include <vector>

#include "harness/core/lock.h"
#include "harness/core/machine.h"
#include "harness/core/worker.h"
#include "harness/sim/latency.h"
#include "harness/sim/sim_state.h"

namespace locklab {

struct SimConfig {
    const Algorithm* algorithm = nullptr;
    LockOptions options;
    Workload workload;
    std::uint32_t clients = 3;
    std::uint64_t grants = 30;  ///< after these the run winds down
    Latency latency;
    Duration command_timeout = std::chrono::milliseconds(100);
    /// With nobody granted for this long, the run ends.
    Duration patience = std::chrono::seconds(10);
    std::vector<PlannedFault> plan;
    RegularPauses pauses;
    Key key{"lock"};
    bool record = true;  ///< whether to keep a history
};

class Simulator final : public Host {
public:
    /// `choices` and `scripts` must outlive the simulator.
    Simulator(const SimConfig& config, Choices& choices, ScriptEngine& scripts);
    ~Simulator() override;
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;

    /// Runs to the end: all clients finished or crashed, or nobody granted for `patience`. Throws
    /// BoundHit, as does step(), if it has recorded more than kMostEvents.
    void run();
    /// One step: a request is executed, a reply reaches its client, or a timer fires. False if
    /// the run has ended.
    bool step();

    const SimState& state() const { return state_; }
    /// What was recorded; the caller fills in seed and run. Call it once, after the run.
    History take_history();

    void act(ClientId client, TaskId task, Action& action) override;
    WallTime now(ClientId client) override;
    MonotonicTime monotonic(ClientId client) override;
    Token fresh_token(ClientId client) override;
    void note(ClientId client, Phase phase, EventDetail detail) override;
    std::uint64_t next_grant(ClientId client) override;
    bool enough() override { return state_.grants >= config_.grants; }
    Choices& choices() override { return choices_; }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round) override;

private:
    void send(ClientId client, TaskId task, Action& action);
    /// What a planned fault does to a message that is being sent; when it will arrive.
    Instant strike_message(std::uint32_t id, const PlannedFault& fault, Instant arrives);
    /// `again`: the call that is sent once more; 0 if this is a new one.
    std::uint32_t new_message(ClientId client, TaskId task, Action& action,
                              std::uint64_t again = 0);
    void free_if_over(std::uint32_t id);
    /// Puts the request on its connection, behind what is there, to arrive at `at`.
    void enqueue_request(std::uint32_t id, Instant at);
    void push(SimEvent::Kind kind, std::uint32_t id, Instant at);
    void push_reply(std::uint32_t id);
    void push_refusal(std::uint32_t id);

    void on_request(std::uint32_t id);
    void execute(std::uint32_t id);
    void next_on_connection(Message& message, std::uint32_t id);
    void on_told(const SimEvent& event, bool gave_up);
    void on_resend(const SimEvent& event);

    /// Hands an observation to a task, unless its client is held up or a fault strikes now.
    /// False if it was put off: `event` is in the queue again.
    bool deliver(const SimEvent& event, std::uint64_t call, Reply reply);
    bool put_off(const SimEvent& event);
    /// Carries out a fault that strikes `client` as it takes an observation.
    void strike(ClientId client, const PlannedFault& fault);
    void restart(const PlannedFault& fault);
    /// The regular pauses that have begun by now. One that is over before its client takes an
    /// observation was not noticed, so it is early enough to draw them here.
    void pause_regularly();
    /// The server's data may have changed: what a restart may come back with.
    void keep_snapshot();
    void crash(ClientId client);

    WallTime server_time() const;
    void note_fault(ClientId client, const PlannedFault& fault, std::uint64_t call = 0);

    const SimConfig config_;
    Choices& choices_;
    ScriptEngine& scripts_;
    SimState state_;
    bool keep_snapshots_ = false;
    std::vector<std::unique_ptr<Lock>> locks_;  // outlive the coroutines in the machines
    std::vector<std::unique_ptr<Machine>> machines_;
    std::size_t unfinished_ = 0;
    Outbox outbox_;
    History history_;
};

}  // namespace locklab
