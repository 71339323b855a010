// Runs many live episodes at once, in one thread, against the same servers.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/live/clock_watch.h"
#include "harness/live/live_episode.h"
#include "harness/live/live_run.h"
#include "harness/live/reactor.h"
#include "harness/live/redis_process.h"
#include "harness/live/run_keys.h"
#include "harness/live/runs_at_once.h"

namespace locklab {

class LiveLoop final : public ServerKeeper, public Reactor::Sleeper {
public:
    /// Takes the result of an episode; `index` is its place in the list. All episodes under way
    /// wait for it to return, which is a pause of their clients: so judge after run(). May throw.
    using Finished = std::function<void(std::size_t index, LiveResult result)>;

    struct Summary {
        bool interrupted = false;
        /// One sentence if keys may be left on a foreign server; otherwise empty.
        std::string keys_left;
    };

    /// Uses a private server, which must outlive this.
    explicit LiveLoop(RedisProcess& server) { add(server); }
    /// Uses a foreign server, which is never restarted. See probe(). Throws std::runtime_error with
    /// one sentence if the host has no address.
    explicit LiveLoop(const Endpoint& endpoint);

    /// Adds a private server, which must outlive this. Not from inside run().
    void add(RedisProcess& server);

    /// Adds a replica, which must outlive this. It follows the first server, and takes over when a
    /// run's plan says so. Not from inside run().
    void add_replica(RedisProcess& replica);

    /// When this becomes true, run() drops the episodes under way and returns. A signal handler may
    /// set it.
    void interrupt_on(const std::atomic<bool>& flag) { interrupt_ = &flag; }

    /// Runs all episodes, at most `parallel` at a time, and hands out each when it is over. Deletes
    /// all keys that they used, however it ends. Throws std::invalid_argument with one sentence for
    /// a plan that no real server can follow, and for a lock that needs more servers than there
    /// are.
    Summary run(std::vector<LiveConfig> episodes, std::size_t parallel, const Finished& finished);
    /// The same with as many at a time as `at_once` allows; it is told when this loop is late.
    Summary run(std::vector<LiveConfig> episodes, RunsAtOnce& at_once, const Finished& finished);

private:
    struct Server {
        Upstream upstream;
        RedisProcess* process;                    ///< null: a foreign server
        bool down = false;                        ///< for a moment, by a planned restart
        Reactor::Clock::time_point back_at = {};  ///< when it is to be up again
        bool was_restarted = false;
    };
    struct UnderWay {
        std::size_t index;
        std::unique_ptr<LiveEpisode> episode;
        Duration ttl;
        Duration worst_lag{0};
        ClockWatch clock{};
    };

    Server server_on(RedisProcess& process) {
        return {{reactor_, resolved(process.endpoint()), {}, {}}, &process};
    }
    void check(const LiveConfig& config) const;
    bool interrupted() const { return interrupt_ != nullptr && interrupt_->load(); }
    void run_all(std::vector<LiveConfig> episodes, RunsAtOnce& at_once, const Finished& finished);
    /// Notes how late the last turn was, and whether the clock was set.
    void take_lag(RunsAtOnce& at_once);
    void hand_out_finished(RunsAtOnce& at_once, const Finished& finished);
    /// Drops the episodes under way after an interruption or error.
    void drop_all(RunsAtOnce& at_once);
    std::string clean_up();

    Reactor& reactor() override { return reactor_; }
    Upstream& upstream(const Topology& topology, NodeId node) override {
        return node.value < topology.masters ? servers_[node.value].upstream : replica_->upstream;
    }
    void restart_server(const LiveRun& asking, const PlannedFault& fault) override;
    void fail_over(const LiveRun& asking, const PlannedFault& fault) override;
    bool has_failed_over() const override { return failed_over_; }
    void wake(const Reactor::Alarm& alarm) override;

    Reactor reactor_;
    std::deque<Server> servers_;  ///< a deque does not move its elements: connections refer to them
    std::optional<Server> replica_;
    bool failed_over_ = false;
    RunKeys keys_;
    const std::atomic<bool>* interrupt_ = nullptr;
    std::vector<UnderWay> under_way_;
};

}  // namespace locklab
