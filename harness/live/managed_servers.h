// The redis-servers that locklab starts for runs, and faults of single servers: the others go on.
// LiveLoop, stages and driver runs kill, freeze and restart servers and set their clocks only
// through this class.
//
// 1. A function returns when its effect is complete: a killed server is gone, a frozen one has
//    stopped, one that is brought back answers. Restarts and hangs end later, in do_due(): the
//    caller must call it in time.
// 2. Masters know nothing of one another; a replica follows the first.
// 3. A hanging server is sent no commands: the harness' own connection would hang too.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/fault_budget.h"
#include "harness/core/names.h"
#include "harness/core/time.h"
#include "harness/core/topology.h"
#include "harness/live/eviction.h"
#include "harness/live/redis_process.h"
#include "harness/live/server_snapshot.h"
#include "harness/live/wrong_clock.h"

namespace locklab {

class ManagedServers {
public:
    using Clock = std::chrono::steady_clock;
    enum class ItsClock { right, can_be_wrong };

    /// The clock that runs with these faults need.
    static ItsClock clock_for(const FaultBudget& faults);

    /// Returns when all answer. Throws as RedisProcess does.
    explicit ManagedServers(const Topology& topology = {}, ItsClock clock = ItsClock::right);
    /// Adds servers until there are enough for the topology. If clocks must be able to be wrong,
    /// replaces the servers whose clocks cannot. Not during a run.
    void provide(const Topology& topology, ItsClock clock);

    const Topology& topology() const { return topology_; }
    /// Number of servers: masters first, then replicas.
    std::uint32_t size() const { return topology_.nodes(); }
    /// A Unix socket, which costs less than a port.
    const Endpoint& endpoint(NodeId node = {}) const { return process(node).endpoint(); }
    const RedisProcess& process(NodeId node = {}) const { return *at(node).process; }

    enum class Keys { go, stay };
    /// Calls end_run(), sets all clocks right, makes replicas follow, and forgets past faults and
    /// snapshots. Unless keys stay, removes them all.
    void begin_run(Keys keys = Keys::go);
    /// Ends all hangs and outages, keeps no more snapshots, and waits until all servers answer.
    /// Throws std::runtime_error.
    void end_run();

    /// Kills the server until bring_back(). Throws std::runtime_error.
    void kill(NodeId node);
    /// Starts the server, empty or with this snapshot, and waits until it answers.
    void bring_back(NodeId node, const ServerSnapshot& with = {});
    /// Kills the server, which comes back, empty or with this snapshot, after `outage`; if it is
    /// down for longer already, it stays down.
    void restart(NodeId node, Duration outage, const ServerSnapshot& with = {});
    bool is_up(NodeId node) const { return process(node).pid() != 0; }

    /// From now on do_due() keeps a snapshot of each server every `every`, and kept_at() knows the
    /// last `longest`.
    void keep_snapshots(Duration every, Duration longest);
    /// Keeps a snapshot of this server now. Keeps none if it does not answer.
    void keep_snapshot(NodeId node);
    struct Kept {
        Clock::time_point at;  ///< Clock::time_point(): nothing was kept, and `data` is empty
        ServerSnapshot data;
    };
    /// The last snapshot that was kept at this time or before. Throws std::runtime_error if the
    /// server never told its data.
    const Kept& kept_at(NodeId node, Clock::time_point at) const;

    /// As evict_any(), at this server. Removes nothing if it is down or hangs.
    Eviction evict(NodeId node, const std::string& lock, EvictionDraw draw) const;
    /// As flush_all(), likewise.
    std::optional<Duration> flush(NodeId node) const;
    /// Requires a server whose clock can be wrong.
    void jump_clock(NodeId node, Duration by) { at(node).clock->jump(by); }
    /// How far the server's wall clock is ahead.
    Duration clock_ahead(NodeId node) const;
    /// Makes the replica a master, with the data that it has; the first master goes on. Throws
    /// std::runtime_error.
    void take_over();
    /// The same, with all present data of the first master, which is up.
    void take_over_with_all();
    bool has_taken_over() const { return took_over_; }

    /// Stops the server for `length`; then it continues with its data. Its clock runs on. False: it
    /// is down, not ready after a start, or hangs already.
    bool freeze(NodeId node, Duration length);
    /// Ends the server's hang now, if it hangs.
    void thaw(NodeId node);
    bool hangs(NodeId node) const { return at(node).thaws.has_value(); }
    /// Whether it is up and ready and does not hang: then freeze() can stop it.
    bool answers(NodeId node) const { return answers(at(node)); }
    /// How long it will still hang; zero: it does not.
    Duration hangs_for(NodeId node, Clock::time_point now) const {
        const auto& thaws = at(node).thaws;
        if (!thaws || *thaws <= now) return Duration(0);
        return std::chrono::duration_cast<Duration>(*thaws - now);
    }
    /// When the last hang of this run ended, or will end. Nothing: no server has hung.
    std::optional<Clock::time_point> hung_until() const { return hung_until_; }

    /// Whether it was down, or hung, in this run.
    bool was_away(NodeId node) const { return at(node).was_away; }

    /// When do_due() next has something to do. Nothing: never.
    std::optional<Clock::time_point> next_due() const;
    struct Late {
        NodeId node;
        Duration by;  ///< how late it is back
    };
    /// Does what is due: starts servers, ends hangs, and keeps snapshots. Returns the servers that
    /// are back; a started server is back once it listens.
    std::vector<Late> do_due(Clock::time_point now);

private:
    struct Node {
        std::unique_ptr<WrongClock> clock{};  ///< null: it uses the machine's clock
        std::unique_ptr<RedisProcess> process{};
        std::optional<Clock::time_point> starts{};   ///< set while it is down: when it starts
        ServerSnapshot with{};                       ///< its data at that start
        std::optional<Clock::time_point> awaited{};  ///< set until it listens: its planned start
        std::optional<Clock::time_point> thaws{};    ///< set while it hangs: when it continues
        bool was_away = false;
        std::deque<Kept> kept{};
        std::string why_not_kept{};  ///< of the last snapshot that failed
    };
    Node& at(NodeId node) { return nodes_.at(node.value); }
    const Node& at(NodeId node) const { return nodes_.at(node.value); }
    static Node started(ItsClock clock);
    void let_replicas_follow();
    void launch(Node& node, const ServerSnapshot& with);
    void go_on(Node& node);
    void keep(Node& node, Clock::time_point now);
    static bool answers(const Node& node);

    Topology topology_;
    std::deque<Node> nodes_;  ///< by node
    Duration keep_every_{0};  ///< zero: only keep_snapshot() keeps any
    Duration keep_for_{0};
    std::optional<Clock::time_point> keeps_;
    std::optional<Clock::time_point> hung_until_;
    bool took_over_ = false;
};

}  // namespace locklab
