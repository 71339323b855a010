// One client of a cluster, run by hand: the caller feeds it observations one by one, and it shows
// what it waits for. No other client runs, and no server is asked.
#pragma once

#include <optional>
#include <vector>

#include "harness/cluster/cluster.h"
#include "harness/explore/bounded_client.h"
#include "harness/explore/lock_threw.h"
#include "harness/explore/token_names.h"

namespace locklab {

class Actor final : private Agenda {
public:
    struct Shown {
        TaskId task;
        std::uint32_t ticket = 0;
        bool is_timer = false;
        Timing timing = Timing::exact;
        Duration sleep{0};
        NodeId node;
        bool to_all = false;        ///< several servers exist, and the command goes to all of them
        std::uint32_t message = 0;  ///< its number; with to_all, that of one of its messages
        bool first_of_try = false;  ///< the command is the first of a try
    };

    /// The client as its lock sees it: its number, and the texts of its tokens, which are the
    /// first, second, ... of `owner`. `names` must outlive the actor.
    struct Identity {
        ClientId number;
        std::uint32_t owner = kSelf;
        TokenNames* names = nullptr;
    };
    /// `bounds` must outlive the actor.
    Actor(const Algorithm& algorithm, const Bounds& bounds, const Identity& identity);
    Actor(const Actor&) = delete;
    Actor& operator=(const Actor&) = delete;

    /// The clock readings that the next step sees, and whether a job that begins there is slow.
    void expect(WallTime clock, MonotonicTime monotonic, bool slow);
    /// start() and observe() throw LockThrew if the lock throws.
    void start();
    /// From now on the number of tries has no limit, and each try is made when it is due. For a
    /// client that has not started; for a resting one see come_again().
    void try_on() { client_.try_on(); }
    /// try_on() for a client that rests or waits for its next try; it also wakes the client now.
    void come_again();
    /// With wait.to_all, `reply` is the list of the replies of all servers.
    void observe(const Shown& wait, Reply reply);

    /// What the client's tasks wait for, in the order in which the waits began.
    std::vector<Shown> waits() const;
    /// What that task waits for; null: nothing.
    const Shown* wait_of(TaskId task) const;
    /// The wait of a client that has only its worker. Throws std::length_error, with a message for
    /// the user, if a background task waits too.
    Shown only_wait() const;
    /// Valid until the command is answered.
    const Command& command_of(const Shown& wait) const {
        return cluster_.message(wait.message).command;
    }
    bool inside() const { return client_.inside(); }
    bool done() const { return machine().finished(); }
    std::uint32_t grants() const { return client_.grants(); }
    /// The client sleeps after a try that did not get the lock.
    bool is_between_tries() const { return client_.is_between_tries(); }
    /// Its next step makes a new lock object, and nothing of the old one goes on.
    bool begins_anew() const;
    BoundedClient::Progress progress() const { return client_.progress(); }
    /// Number of tokens drawn so far.
    std::uint32_t tokens() const { return tokens_; }
    bool asked_clock() const { return asked_since_step(Probe::wall_clock); }
    bool asked_monotonic() const { return asked_since_step(Probe::monotonic_clock); }
    bool asked_slow() const { return asked_slow_; }
    /// Its last step was to leave, and it has sent nothing since.
    bool leaves() const { return client_.leaves(); }
    /// Its last step was a definite refusal.
    bool refused() const { return client_.refused(); }
    /// The fencing token, if the last step was a grant that has one; 0: none.
    std::uint64_t fence() const { return client_.fence(); }
    Phase phase_of(TaskId task) const { return machine().phase_of(task); }
    std::uint32_t servers() const { return cluster_.servers(); }

private:
    void is_ready(std::uint32_t message) override;
    void armed(const Move& move, const Window& window) override;
    void noted(const Event& event) override;
    std::optional<Token> token_of(ClientId client) override;
    Choices& choices() override { return calm_; }
    bool enough(ClientId) override { return client_.enough(); }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round) override;

    void pass_over();
    void refuse_what_throws() const;
    void end(const Shown& wait, Reply&& reply);
    bool asked_since_step(Probe probe) const { return cluster_.probes()[probe] != before_[probe]; }
    bool is_waited_for(const Shown& shown) const {
        return machine().waits_for(shown.task, shown.ticket);
    }
    const Machine& machine() const { return cluster_.machine(identity_.number); }

    const Algorithm& algorithm_;
    const Bounds& bounds_;
    const Identity identity_;
    const Workload workload_;
    BoundedClient client_;
    CalmChoices calm_;
    std::vector<Shown> shown_;
    bool slow_ = false;
    bool asked_slow_ = false;
    bool sent_in_try_ = false;
    std::uint32_t tokens_ = 0;
    Probes before_;  ///< the cluster's counters when the step began
    Cluster cluster_;
};

}  // namespace locklab
