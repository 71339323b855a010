// The drive of a cluster that follows a live history: for each event it makes the move that leads
// to it, if there is one.
//
// 1. What a client does from one wait to the next is contiguous in a live history, since one
//    process writes it: the events that the cluster notes during a move are the next ones, one by
//    one.
// 2. A timer fires when its client's next event comes: not before its time, and no later than the
//    lateness of the run's machine allows. What leaves no trace in a history happens as early as it
//    can.
// 3. An execution stands in a live history where its reply came, and the cluster runs it there: the
//    order in which servers ran commands was found before.
// 4. The time is that of the current event.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/cluster/cluster.h"
#include "harness/core/passed_over.h"
#include "harness/core/run_spec.h"
#include "harness/inclusion/inclusion.h"
#include "harness/inclusion/same_event.h"
#include "harness/inclusion/told_run.h"

namespace locklab {

class Follower final : private Agenda, private Choices {
public:
    /// `history` and `spec` must outlive the follower.
    Follower(const History& history, const RunSpec& spec, Duration lag);
    /// Refused with an event, or accepted.
    Inclusion follow();

private:
    /// A possible move.
    struct Pending {
        Move move;
        Instant earliest;
        Duration leeway{0};  ///< extra lateness that is allowed, because its length was drawn
        bool oracle = false;
    };

    void is_ready(std::uint32_t message) override;
    void armed(const Move& move, const Window& window) override;
    void noted(const Event& event) override;
    Choices& choices() override { return *this; }
    bool enough(ClientId client) override {
        return cluster_.value().grants >= spec_.grants && !passed_over_.is(client);
    }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round) override;
    std::optional<Token> token_of(ClientId client) override { return tokens_.next(client); }
    std::uint32_t pick(ChoiceKind kind, std::uint32_t count) override;

    void start();
    void strike_servers_that_lasted();
    void step();
    void go_on(const Event& event);
    void executed(const Event& event, const event::Executed& ran);
    void replied(const Event& event, const event::Replied& told);
    void answered(const Event& event, const event::Replied& told);
    void unanswered(const Event& event, const event::Replied& told);
    void struck(const Event& event, const event::Fault& fault);
    void restarted(const Event& event, const PlannedFault& fault);
    void learnt(const Event& event);

    /// Makes all moves that leave no trace, up to that instant.
    void settle_until(Instant until);
    std::optional<Instant> silent_since(const Pending& pending) const;
    bool slow_job_comes(ClientId client) const;
    /// Refuses if a client has not done by then what nothing kept it from doing.
    void find_overdue(Instant at);

    void make(std::size_t pending);
    void ask_oracle();
    void run_execution(std::size_t pending, const Reply& reply);
    /// The arrival of that call, once earlier requests on its connection have been refused; kNone
    /// if there is none.
    std::size_t arrival_of(std::uint64_t call);
    void let_fault_answer(std::uint64_t call);
    bool refuse_before(const Message& message);
    bool was_down(NodeId node, Instant sent) const;
    void refuse_arrival(std::size_t pending);
    std::size_t find(MoveKind kind, std::uint64_t call) const;
    Instant possible_since(const Pending& pending) const {
        return std::max(pending.earliest, cluster_.held_up_until(pending.move));
    }
    const Message& message_of(const Pending& pending) const {
        return cluster_.message(pending.move.message);
    }
    std::string why_not(const Event& event) const;
    void refuse(std::string why);
    /// To the next event of the history. That a link is cut is passed over: the commands that it
    /// loses are told one by one.
    void advance();
    const Event* next() const {
        return next_ < history_.events.size() ? &history_.events[next_] : nullptr;
    }

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    const History& history_;
    const RunSpec& spec_;
    Tolerance tolerance_;
    Duration late_{0};                 ///< how late a client may be on its own
    Duration leeway_{0};               ///< the longest time that can be drawn
    std::vector<Workload> workloads_;  ///< per client; outlive the tasks that run on them
    ToldTokens tokens_;
    ToldServer server_;
    std::vector<Pending> pending_;
    std::vector<Instant> down_until_;  ///< latest end of each server's outage
    std::set<std::uint64_t> ran_;      ///< calls executed before their server's restart
    std::size_t next_ = 0;
    bool draws_ = false;
    std::optional<Inclusion> refused_;
    PassedOver passed_over_;
    Cluster cluster_;  // last, because it draws tokens while it is made
};

}  // namespace locklab
