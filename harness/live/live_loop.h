// Runs many live episodes at once, in one thread, against the same servers.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/live/clock_watch.h"
#include "harness/live/live_episode.h"
#include "harness/live/live_run.h"
#include "harness/live/managed_servers.h"
#include "harness/live/reactor.h"
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

    /// Uses private servers, which must outlive this. More may be added between calls of run().
    explicit LiveLoop(ManagedServers& servers) : servers_(&servers) {}
    /// Uses a foreign server, which is never restarted. See probe(). Throws std::runtime_error with
    /// one sentence if the host has no address.
    explicit LiveLoop(const Endpoint& endpoint);

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
    struct UnderWay {
        std::size_t index;
        std::unique_ptr<LiveEpisode> episode;
        Duration ttl;
        Duration worst_lag{0};
        ClockWatch clock{};
    };

    void check(const LiveConfig& config) const;
    bool interrupted() const { return interrupt_ != nullptr && interrupt_->load(); }
    void run_all(std::vector<LiveConfig> episodes, RunsAtOnce& at_once, const Finished& finished);
    /// Notes how late the last turn was, and whether the clock was set.
    void take_lag(RunsAtOnce& at_once);
    void hand_out_finished(RunsAtOnce& at_once, const Finished& finished);
    /// Drops the episodes under way after an interruption or error.
    void drop_all(RunsAtOnce& at_once);
    std::string clean_up();

    bool is_private() const { return servers_ != nullptr; }
    std::uint32_t masters() const { return is_private() ? servers_->topology().masters : 1; }
    /// The server that a run means by `node`: the run may use fewer masters than there are.
    NodeId managed(const Topology& topology, NodeId node) const {
        return node.value < topology.masters ? node : servers_->topology().replica();
    }
    const Endpoint& endpoint_of(NodeId managed) const {
        return is_private() ? servers_->endpoint(managed) : somebodys_;
    }
    /// Notes the fault in the other runs on that server; `asking` has noted it itself.
    void tell_others(const LiveRun& asking, const event::Fault& fault);
    void begin_faults(const std::vector<LiveConfig>& episodes);
    void set_alarm();
    /// Faults of servers that still last, clocks that are wrong and hangs: a run that begins now
    /// must note them.
    std::vector<event::Fault> lasting_faults() const;

    /// What `does` returns where it can ask the server; the empty value where none answers.
    template <class Does>
    auto on_server(NodeId managed, Does does);

    Reactor& reactor() override { return reactor_; }
    Upstream& upstream(const Topology& topology, NodeId node) override;
    std::optional<event::Fault> plan_for_server(const PlannedFault& fault) const override;
    void strike_server(const LiveRun& asking, const event::Fault& fault) override;
    Eviction evict(NodeId node, const Key& lock, EvictionDraw draw) override;
    std::optional<Duration> flush(NodeId node, const Key& lock) override;
    bool holds(const Topology& topology, NodeId node, const Key& key, const Token& token) override;
    bool has_failed_over() const override { return is_private() && servers_->has_taken_over(); }
    void wake(const Reactor::Alarm& alarm) override;
    /// What servers throw must not pass through the C code of the event loop: run_all() throws it.
    template <class Do>
    auto caught(const Do& what) const {
        try {
            return what();
        } catch (...) {
            if (error_ == nullptr) error_ = std::current_exception();
        }
        return decltype(what())();
    }

    Reactor reactor_;
    std::optional<ManagedServers::Clock::time_point> alarm_;  ///< the next that is set
    ManagedServers* servers_ = nullptr;                       ///< null: a foreign server
    Endpoint somebodys_{};
    /// By address. A map does not move its elements: connections refer to them.
    std::map<std::string, Upstream> upstreams_;
    RunKeys keys_;
    const std::atomic<bool>* interrupt_ = nullptr;
    std::vector<UnderWay> under_way_;
    mutable std::exception_ptr error_;
};

}  // namespace locklab
