#include "harness/failover/failover_model.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "harness/check/judge.h"
#include "harness/cluster/cluster.h"
#include "harness/core/assert.h"

namespace locklab {

namespace {

constexpr ClientId kFirst{0};
constexpr ClientId kSecond{1};
constexpr NodeId kMaster{0};
constexpr NodeId kReplica{1};
/// Longer than any run: of jobs, and of the pause before another try, so that none begins.
constexpr Duration kForEver = std::chrono::hours(24);
/// How long the second client's try may take.
constexpr Duration kTry = std::chrono::seconds(2);
/// min-replicas-max-lag.
constexpr Duration kMostLag = std::chrono::seconds(1);

Workload one_long_job() {
    Workload workload;
    workload.job = {kForEver, kForEver};
    workload.wait = {WaitPolicy::Kind::fixed, kForEver};
    return workload;
}

ClusterConfig config_of(const FailoverCell& cell, const FailoverShape& shape) {
    ClusterConfig config;
    config.algorithm = &lock_of(cell);
    config.options = options_of(cell, shape);
    config.clients = 2;
    config.topology.replicas = 1;
    config.command_timeout = kForEver;
    config.keep_snapshots = true;
    config.replica_lag = cell.lag;
    return config;
}

/// The drive: makes each move at its earliest time, in the order in which it became possible.
///
/// WAIT and NOREPLICAS are answered here, since they ask what only the drive knows: how far the
/// replica is behind.
class Failover final : private Agenda {
public:
    Failover(const FailoverCell& cell, const FailoverShape& shape)
        : cell_(cell), cluster_(config_of(cell, shape), *this, scripts_) {}

    FailoverOutcome run(Duration killed, Duration promoted) {
        cluster_.start(kFirst, workload_);
        pass_to(Instant(killed));
        FailoverOutcome outcome;
        outcome.granted = cluster_.value().grants > 0;
        kill(promoted);
        pass_to(Instant(killed + promoted));
        const RedisStore& promoted_one =
            std::get<RedisStore>(cluster_.value().nodes[kReplica.value].store);
        const bool has_key = promoted_one.data().keys().stored("lock") != nullptr;
        outcome.lost = outcome.granted && !has_key;
        outcome.left = !outcome.granted && has_key;
        cluster_.start(kSecond, workload_);
        pass_to(Instant(killed + promoted + kTry));
        History history = cluster_.take_history();
        history.world = "sim";
        const Judgement judged = judge(history);
        LOCKLAB_ASSERT(!judged.shows_nothing);
        outcome.twice = std::ranges::any_of(judged.violations, [](const Violation& violation) {
            return violation.kind == Violation::Kind::overlap;
        });
        return outcome;
    }

private:
    struct Due {
        Instant at;
        std::uint64_t order = 0;
        Move move;
        std::optional<Reply> answer{};  ///< to the message of the move, which goes to no server
    };

    /// The lag of the replica that the master has; nothing: it has none.
    std::optional<Duration> lag_of(NodeId master) const {
        if (master != kMaster) return std::nullopt;
        return cell_.lag;
    }

    void is_ready(std::uint32_t id) override {
        const Message& message = cluster_.message(id);
        const NodeId node = message.route.node;
        const Move move = cluster_.move_of(MoveKind::deliver, id);
        const std::optional<Duration> lag = lag_of(node);
        if (node != kOracle && message.command[0] == "WAIT") {
            const Duration patience = std::chrono::milliseconds(message.command.number(2));
            const Instant gives_up = cluster_.value().now + patience;
            const Instant has_all = lag ? written_ + *lag : Instant::max();
            const bool in_time = has_all <= gives_up;
            return push(std::max(cluster_.value().now, in_time ? has_all : gives_up), move,
                        Reply::integer(in_time ? 1 : 0));
        }
        const bool refuses = cell_.safeguard == Safeguard::min_replicas && node != kOracle &&
                             (!lag || *lag > kMostLag);
        if (refuses) {
            return push(cluster_.value().now, move,
                        Reply::error("NOREPLICAS Not enough good replicas to write."));
        }
        cluster_.depart(id);
    }
    /// Nothing expires: each command is answered, if only by the end of its connection.
    void armed(const Move& move, const Window& window) override {
        if (move.kind != MoveKind::expire) push(window.earliest, move, {});
    }
    Choices& choices() override { return calm_; }
    bool enough(ClientId) override { return false; }
    std::optional<Duration> slow_job(ClientId, std::uint32_t) override { return std::nullopt; }

    void push(Instant at, const Move& move, std::optional<Reply> answer) {
        due_.push_back({at, next_++, move, std::move(answer)});
    }

    /// Makes what is due by `end`.
    void pass_to(Instant end) {
        while (true) {
            const auto first = std::ranges::min_element(due_, [](const Due& one, const Due& other) {
                return std::pair(one.at, one.order) < std::pair(other.at, other.order);
            });
            if (first == due_.end() || first->at > end) break;
            Due due = std::move(*first);
            due_.erase(first);
            cluster_.pass_to(std::max(cluster_.value().now, due.at));
            make(due);
        }
        cluster_.pass_to(end);
    }

    void make(Due& due) {
        if (due.move.kind == MoveKind::arrive) {
            if (cluster_.message(due.move.message).route.node == kMaster) {
                written_ = cluster_.value().now;
            }
            return cluster_.apply(due.move);
        }
        if (!cluster_.is_waited_for(due.move)) return cluster_.drop(due.move);
        if (due.answer) return cluster_.answer(due.move.message, std::move(*due.answer));
        cluster_.apply(due.move);
    }

    /// The master is gone, and with it its connections: what waits for it is not answered.
    void kill(Duration promoted) {
        for (Due& due : due_) {
            if (!due.answer) continue;
            due.at = cluster_.value().now;
            due.answer = Reply::unknown();
        }
        cluster_.take_down(kMaster, kForEver);
        cluster_.break_connections(kMaster);
        // Clients learn of the new master just before the second one comes.
        cluster_.strike(kFirst, {Hazard::failover, {}, promoted - Duration(1), kReplica});
    }

    const FailoverCell cell_;
    const Workload workload_ = one_long_job();
    ScriptEngine scripts_;
    CalmChoices calm_;
    std::vector<Due> due_;
    std::uint64_t next_ = 0;
    Instant written_;  ///< when the master last ran a command
    Cluster cluster_;
};

}  // namespace

bool is_modelled(const FailoverCell& cell) {
    return cell.replicas == 1 && cell.safeguard != Safeguard::wait_on_disk;
}

FailoverOutcome modelled_failover(const FailoverCell& cell, const FailoverShape& shape,
                                  Duration killed, Duration promoted) {
    LOCKLAB_ASSERT(is_modelled(cell) && promoted > Duration::zero());
    return Failover(cell, shape).run(killed, promoted);
}

}  // namespace locklab
