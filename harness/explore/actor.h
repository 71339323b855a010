// One client of a cluster, run by hand: it is given observations one by one and shows what it waits
// for. It is alone, and no server is asked.
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
        bool to_all = false;        ///< there are several servers, and it asks them all
        std::uint32_t message = 0;  ///< of the cluster; one of them, where it asks all
        bool first_of_try = false;  ///< a command with which a try begins
    };

    /// What the lock sees of its client: its number, and the texts of its tokens, which are the
    /// owner's first, second and so on. `names` must outlive the actor.
    struct Identity {
        ClientId number;
        std::uint32_t owner = kSelf;
        TokenNames* names = nullptr;
    };
    /// `bounds` must outlive it.
    Actor(const Algorithm& algorithm, const Bounds& bounds, const Identity& identity);
    Actor(const Actor&) = delete;
    Actor& operator=(const Actor&) = delete;

    /// What the next step finds if it looks at its clocks, or begins a job.
    void expect(WallTime clock, MonotonicTime monotonic, bool slow);
    /// Throws LockThrew, and so does observe().
    void start();
    /// A client that rests comes again, or one that is yet to start has no end of tries.
    /// Its tries have no end, and each is made in time.
    void try_on() { client_.try_on(); }
    /// The same of a client that rests, or waits for its next try: it comes again now.
    void come_again();
    /// Where all servers were asked, the reply is the list of theirs.
    void observe(const Shown& wait, Reply reply);

    /// What its tasks wait for, in the order in which they began to.
    std::vector<Shown> waits() const;
    /// What that one waits for; null: nothing.
    const Shown* wait_of(TaskId task) const;
    /// Of a client that is alone with its worker. Throws std::length_error, whose words are for the
    /// user, if a background task waits beside it.
    Shown only_wait() const;
    /// Until it is answered.
    const Command& command_of(const Shown& wait) const {
        return cluster_.message(wait.message).command;
    }
    bool inside() const { return client_.inside(); }
    bool done() const { return machine().finished(); }
    std::uint32_t grants() const { return client_.grants(); }
    /// It sleeps after a try that came to nothing.
    bool is_between_tries() const { return client_.is_between_tries(); }
    /// How many it has drawn so far.
    std::uint32_t tokens() const { return tokens_; }
    bool asked_clock() const { return asked_since_step(Probe::wall_clock); }
    bool asked_monotonic() const { return asked_since_step(Probe::monotonic_clock); }
    bool asked_slow() const { return asked_slow_; }
    /// Its last step was to leave, and it has not sent anything since.
    bool leaves() const { return client_.leaves(); }
    /// Its last step was to be refused, with certainty.
    bool refused() const { return client_.refused(); }
    /// The fencing token of the grant that its last step was; 0: none.
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
    Probes before_;  ///< of the cluster, as the step began
    Cluster cluster_;
};

}  // namespace locklab
