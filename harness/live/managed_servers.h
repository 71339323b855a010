// The redis-servers that locklab starts for runs, and what happens to one of them while the others
// go on. Who runs what on them (LiveLoop, a stage, driver processes) asks for it here, and nowhere
// else.
//
// 1. Each of these returns when it has happened: a server that is killed is gone, one that is
//    frozen stands still, one that is brought back answers. What ends later is due later: who runs
//    them calls do_due() in time.
// 2. Masters know nothing of one another; a replica follows the first.
// 3. A server that hangs is asked nothing by us: our own connection would hang too.
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

    /// What runs with these faults need.
    static ItsClock clock_for(const FaultBudget& faults);

    /// Returns when all answer. Throws as RedisProcess does.
    explicit ManagedServers(const Topology& topology = {}, ItsClock clock = ItsClock::right);
    /// Starts more where the topology has more, and those anew whose clock must be one that can be
    /// wrong. Not while something runs on them.
    void provide(const Topology& topology, ItsClock clock);

    const Topology& topology() const { return topology_; }
    /// Masters, and then replicas.
    std::uint32_t size() const { return topology_.nodes(); }
    /// A Unix socket, which costs less than a port.
    const Endpoint& endpoint(NodeId node = {}) const { return process(node).endpoint(); }
    const RedisProcess& process(NodeId node = {}) const { return *at(node).process; }

    enum class Keys { go, stay };
    /// All are there, clocks are right, replicas follow, and nothing has happened to anybody yet.
    void begin_run(Keys keys = Keys::go);
    /// All are there again, go on, and answer. Throws std::runtime_error.
    void end_run();

    /// It is gone until it is brought back. Throws std::runtime_error.
    void kill(NodeId node);
    /// Empty, or with what that snapshot has.
    void bring_back(NodeId node, const ServerSnapshot& with = {});
    /// It is gone, and comes back after so long; one that is down for longer stays so.
    void restart(NodeId node, Duration outage, const ServerSnapshot& with = {});
    bool is_up(NodeId node) const { return process(node).pid() != 0; }

    /// From now on what servers have is kept every so often, for as long as `longest` and a little
    /// more.
    void keep_snapshots(Duration every, Duration longest);
    /// What it has now is kept as well.
    void keep_snapshot(NodeId node);
    struct Kept {
        Clock::time_point at;  ///< of a server of which nothing is known: its beginning
        ServerSnapshot data;
    };
    /// What it had at that time or, where none was kept, a little before.
    const Kept& kept_at(NodeId node, Clock::time_point at) const;

    /// As evict_lock() does. Nothing, where it is down or hangs.
    Eviction evict(NodeId node, const std::string& key) const;
    /// That key in its first database, and no other. False: it is not there, or nobody knows.
    bool evict_key(NodeId node, const std::string& key) const;
    /// Its wall clock, which can be wrong.
    void jump_clock(NodeId node, Duration by) { at(node).clock->jump(by); }
    /// How much it is ahead.
    Duration clock_ahead(NodeId node) const;
    /// The replica becomes a master, with what it has by now; the first one goes on. Throws
    /// std::runtime_error.
    void take_over();
    /// The same, with all that the first one, which is up, has by now.
    void take_over_with_all();
    bool has_taken_over() const { return took_over_; }

    /// It stands still, and goes on with its data after so long; its clock goes on meanwhile.
    /// False: it is down, or hangs already.
    bool freeze(NodeId node, Duration length);
    /// It goes on now.
    void thaw(NodeId node);
    bool hangs(NodeId node) const { return at(node).thaws.has_value(); }
    /// Until when one of them hung last; nothing: none did since the run began.
    std::optional<Clock::time_point> hung_until() const { return hung_until_; }

    /// It was down, or hung, in this run.
    bool was_away(NodeId node) const { return at(node).was_away; }

    /// When something of this is to be done; nothing: nothing is.
    std::optional<Clock::time_point> next_due() const;
    struct Late {
        NodeId node;
        Duration by;  ///< it is there again by so much later than planned
    };
    /// Does what is due: who was down starts, and is there when it listens; who hung goes on.
    std::vector<Late> do_due(Clock::time_point now);

private:
    struct Node {
        std::unique_ptr<WrongClock> clock{};  ///< null: it is the machine's
        std::unique_ptr<RedisProcess> process{};
        std::optional<Clock::time_point> starts{};   ///< it is down until then
        ServerSnapshot with{};                       ///< it starts with that
        std::optional<Clock::time_point> awaited{};  ///< it was started, and is to be there since
        std::optional<Clock::time_point> thaws{};    ///< it hangs until then
        bool was_away = false;
        std::deque<Kept> kept{};
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
    std::deque<Node> nodes_;  ///< by number
    Duration keep_every_{0};  ///< zero: nothing is kept by itself
    Duration keep_for_{0};
    std::optional<Clock::time_point> keeps_;
    std::optional<Clock::time_point> hung_until_;
    bool took_over_ = false;
};

}  // namespace locklab
