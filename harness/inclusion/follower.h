// The drive of a cluster that follows a live history: it makes the move that leads to the next
// event, if there is one.
//
// 1. A client's run from one wait to the next is one piece of a live history, since one process
//    writes it: what the cluster notes during a move are the next events, one by one.
// 2. A timer fires as its client's next event comes: not before its time, nor later than a machine
//    that is late as the run's was. What leaves no trace in a history happens as early as it can.
// 3. An execution stands in a live history where its reply came, and so it does here: the order in
//    which servers ran things was found before.
// 4. Time is that of the event that is looked at.
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
    /// All must outlive it.
    Follower(const History& history, const RunSpec& spec, Duration lag);
    /// Refused with its event, or accepted.
    Inclusion follow();

private:
    /// A move that can be made.
    struct Pending {
        Move move;
        Instant earliest;
        Duration leeway{0};  ///< by so much more it may be late: how long it takes was drawn
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
    void step();
    void go_on(const Event& event);
    void executed(const Event& event, const event::Executed& ran);
    void replied(const Event& event, const event::Replied& told);
    void answered(const Event& event, const event::Replied& told);
    void unanswered(const Event& event, const event::Replied& told);
    void struck(const Event& event, const event::Fault& fault);
    void restarted(const Event& event, const PlannedFault& fault);
    void learnt(const Event& event);

    /// What leaves no trace, until then.
    void settle_until(Instant until);
    std::optional<Instant> silent_since(const Pending& pending) const;
    bool slow_job_comes(ClientId client) const;
    /// Whether somebody has not done by then what nothing kept him from.
    void find_overdue(Instant at);

    void make(std::size_t pending);
    void ask_oracle();
    void run_execution(std::size_t pending, const Reply& reply);
    /// The first on the message's connection can arrive; what is before it never did.
    std::size_t arrival_of(std::uint64_t call);
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
    const Event* next() const {
        return next_ < history_.events.size() ? &history_.events[next_] : nullptr;
    }

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    const History& history_;
    const RunSpec& spec_;
    Tolerance tolerance_;
    Duration late_{0};                 ///< a client may be, by itself
    Duration leeway_{0};               ///< the longest time that is drawn
    std::vector<Workload> workloads_;  ///< of each client; outlive what runs on them
    ToldTokens tokens_;
    ToldServer server_;
    std::vector<Pending> pending_;
    std::vector<Instant> down_until_;  ///< each server, at the latest
    std::set<std::uint64_t> ran_;      ///< calls that ran before their server's restart
    std::size_t next_ = 0;
    bool draws_ = false;
    std::optional<Inclusion> refused_;
    PassedOver passed_over_;
    Cluster cluster_;  // last, for it draws tokens as it is made
};

}  // namespace locklab
