// One client's coroutine, run by hand: it is given observations one by one and shows what it waits
// for. It is alone.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "harness/core/machine.h"
#include "harness/core/worker.h"
#include "harness/explore/bounded_client.h"
#include "harness/explore/token_names.h"

namespace locklab {

class Actor final : public Host {
public:
    struct Shown {
        TaskId task;
        std::uint32_t ticket = 0;
        bool is_timer = false;
        Timing timing = Timing::exact;
        Duration sleep{0};
        NodeId node;
        bool to_all = false;
        Command command;
        bool first_of_try = false;  ///< a command with which a try begins
    };

    /// What the lock sees of its client: its number, and the texts of its tokens, which are the
    /// owner's first, second and so on. `names` must outlive the actor.
    struct Identity {
        ClientId number;
        std::uint32_t owner = kSelf;
        TokenNames* names = nullptr;
    };
    Actor(const Algorithm& algorithm, const Bounds& bounds, const Identity& identity);
    ~Actor() override;

    /// What the next step finds if it looks at its clocks, or begins a job.
    void expect(WallTime clock, MonotonicTime monotonic, bool slow);
    void start();
    /// Where all servers were asked, the reply is the list of theirs.
    void observe(const Shown& wait, Reply reply);

    /// What its tasks wait for, in the order in which they began to.
    std::vector<Shown> waits() const;
    /// Of a client that is alone with its worker. Throws std::length_error, whose words are for the
    /// user, if a background task waits beside it.
    Shown only_wait() const;
    bool inside() const { return client_.inside(); }
    bool done() const { return machine_->finished(); }
    std::uint32_t grants() const { return client_.grants(); }
    bool asked_clock() const { return asked_clock_; }
    bool asked_monotonic() const { return asked_monotonic_; }
    bool asked_slow() const { return asked_slow_; }
    /// Its last step was to leave, and it has not sent anything since.
    bool leaves() const { return client_.leaves(); }
    /// Its last step was to be refused, with certainty.
    bool refused() const { return client_.refused(); }
    /// The fencing token of the grant that its last step was; 0: none.
    std::uint64_t fence() const { return client_.fence(); }
    Phase phase_of(TaskId task) const { return machine_->phase_of(task); }

    void act(ClientId client, TaskId task, Action& action) override;
    std::uint32_t servers() const override { return bounds_.servers; }
    WallTime now(ClientId client) override;
    MonotonicTime monotonic(ClientId client) override;
    Token fresh_token(ClientId client) override;
    void note(ClientId client, Phase phase, EventDetail detail, ResourceId resource) override;
    std::uint64_t next_grant(ClientId) override { return grants() + std::uint64_t{1}; }
    bool enough(ClientId) override { return client_.enough(); }
    Choices& choices() override { return calm_; }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round) override;

private:
    void pass_over();

    const Bounds& bounds_;
    const Identity identity_;
    const Workload workload_;
    BoundedClient client_;
    CalmChoices calm_;
    std::unique_ptr<Machine> machine_;
    Locks locks_;
    std::vector<Shown> shown_;
    WallTime clock_;
    MonotonicTime monotonic_;
    bool slow_ = false;
    bool asked_clock_ = false;
    bool asked_monotonic_ = false;
    bool asked_slow_ = false;
    bool sent_in_try_ = false;
    std::uint32_t tokens_ = 0;
};

}  // namespace locklab
