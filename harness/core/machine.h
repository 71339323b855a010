// A client as its host sees it: a machine that is given an observation (a reply, a timer) and
// runs to its next waits, which it shows as actions (Host::act).
#pragma once

#include "harness/core/client.h"

namespace locklab {

class Machine final : public Client {
public:
    Machine(ClientId id, Host& host, Mode mode = Mode::alone, Machine* process = nullptr)
        : Client(id, host, mode, process) {}

    /// Its own, whichever task of its process is being run.
    ClientId id() const { return id_; }

    /// Starts the client's worker, which runs at once to its first wait.
    void start(Task<> worker);

    /// Answers the action that `task` showed with `ticket`, or `from`'s part of it where all
    /// servers were asked. False if nobody waits for it any more: the task was cancelled, or the
    /// client has crashed.
    bool observe(TaskId task, std::uint32_t ticket, Reply&& reply = Reply(), NodeId from = {});
    bool waits_for(TaskId task, std::uint32_t ticket) const;

    /// Stops the client for good.
    void crash();

    bool crashed() const { return crashed_; }
    /// Whether the worker has done all it had to do.
    bool finished() const { return started_ && (crashed_ || worker_.birth == 0); }

    /// For the worker: where it is in its round.
    void enter_phase(Phase phase) { phase_ = phase; }
    void begin_round() { ++round_; }
    /// Which lock it is about from now on; its tasks that begin from now on are about that one.
    void turn_to(ResourceId resource) { worker_.resource = resource; }
    /// It has that lock, and has not been told otherwise, or it leaves it.
    void hold() { held_ |= bit(); }
    void leave() {
        held_ &= ~bit();
        lost_ &= ~bit();
    }
    bool has_lost() const { return (lost_ & bit()) != 0; }
    bool has_lost_any() const { return lost_ != 0; }
    Host& host() { return host_; }
    void note(EventDetail detail) { host_.note(id_, phase_, std::move(detail), worker_.resource); }

    /// Where `task` is; the phase of its worker, or `background`.
    Phase phase_of(TaskId task) const { return task.is_worker() ? phase_ : Phase::background; }
    /// Counts from 1; 0 before the first round.
    std::uint32_t round() const { return round_; }
    /// How many rounds ago `task` was begun: a background task may outlive its round.
    std::uint32_t rounds_ago(TaskId task) const {
        return task.is_worker() ? 0 : round_ - slot(task.value).round;
    }

private:
    /// The script of an EVALSHA that the server did not know, as a whole.
    void send_whole(TaskId task, Slot& slot, const Command& script);
    std::uint32_t bit() const { return 1U << worker_.resource.value; }

    bool started_ = false;
    bool crashed_ = false;
};

}  // namespace locklab
