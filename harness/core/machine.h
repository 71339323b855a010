// A client as its host sees it: a machine that takes an observation (a reply, a timer) and runs to
// its next waits, which it shows as actions (Host::act).
#pragma once

#include "harness/core/client.h"

namespace locklab {

class Machine final : public Client {
public:
    Machine(ClientId id, Host& host, Mode mode = Mode::alone, Machine* process = nullptr)
        : Client(id, host, mode, process) {}

    /// Its own id, whichever task of its process is running.
    ClientId id() const { return id_; }

    /// Starts the client's worker, which runs at once to its first wait.
    void start(Task<> worker);

    /// Answers the action that `task` showed with `ticket`, or the part of server `from` if all
    /// servers were asked. False if the wait is over: the task was cancelled, or the client has
    /// crashed.
    bool observe(TaskId task, std::uint32_t ticket, Reply&& reply = Reply(), NodeId from = {});
    bool waits_for(TaskId task, std::uint32_t ticket) const;

    /// Stops the client for good.
    void crash();

    bool crashed() const { return crashed_; }
    /// Whether the worker has finished its work, or the client has crashed.
    bool finished() const { return started_ && (crashed_ || worker_.birth == 0); }

    /// The worker calls this to report its phase.
    void enter_phase(Phase phase) { phase_ = phase; }
    void begin_round() { ++round_; }
    /// The lock that the worker, and tasks that it spawns, are about from now on.
    void turn_to(ResourceId resource) { worker_.resource = resource; }
    /// The client has the current lock from now on; leave() ends that.
    void hold() { held_ |= bit(); }
    void leave() {
        held_ &= ~bit();
        lost_ &= ~bit();
    }
    bool has_lost() const { return (lost_ & bit()) != 0; }
    bool has_lost_any() const { return lost_ != 0; }
    Host& host() { return host_; }
    void note(EventDetail detail) { host_.note(id_, phase_, std::move(detail), worker_.resource); }

    /// The phase of `task`: its worker's phase, or `background`.
    Phase phase_of(TaskId task) const { return task.is_worker() ? phase_ : Phase::background; }
    /// Counts from 1; 0 before the first round.
    std::uint32_t round() const { return round_; }
    /// How many rounds ago `task` was begun: a background task may outlive its round.
    std::uint32_t rounds_ago(TaskId task) const {
        return task.is_worker() ? 0 : round_ - slot(task.value).round;
    }

private:
    /// Sends the whole script after an EVALSHA that the server did not know.
    void send_whole(TaskId task, Slot& slot, const Command& script);
    /// After EVALSHA went to all servers: asks the next one that did not know it. False if none is
    /// left.
    bool send_whole_to_next(TaskId task, Slot& slot);
    std::uint32_t bit() const { return 1U << worker_.resource.value; }

    bool started_ = false;
    bool crashed_ = false;
};

}  // namespace locklab
