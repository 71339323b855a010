#include "harness/live/live_loop.h"

#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "harness/live/open_files.h"
#include "harness/live/require_servers.h"

namespace locklab {

namespace {

constexpr Duration kLookAgain = std::chrono::milliseconds(1);
/// Purposes of alarms.
constexpr std::uint32_t kLaunch = 0;
constexpr std::uint32_t kLook = 1;
/// Runs begun per turn: making one takes a while, in which all others wait.
constexpr std::size_t kBegunInATurn = 8;

/// `episodes` are not empty, and the `parallel` largest of them may be under way together.
void check_files(const std::vector<LiveConfig>& episodes, std::size_t parallel) {
    std::vector<std::size_t> clients;
    std::vector<std::size_t> files;
    for (const LiveConfig& config : episodes) {
        clients.push_back(config.workers());
        files.push_back(kFilesPerServer * config.topology.nodes() * config.workers());
    }
    const auto most = [&](std::vector<std::size_t>& each) {
        std::ranges::sort(each, std::greater());
        each.resize(std::min(parallel, each.size()));
        return std::accumulate(each.begin(), each.end(), std::size_t{0});
    };
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const std::size_t needed = kOtherFiles + most(files);
    if (needed <= limit.rlim_cur) return;
    throw std::invalid_argument(std::to_string(most(clients)) + " clients at a time need " +
                                std::to_string(needed) + " open files, and the limit is " +
                                std::to_string(limit.rlim_cur) + ": raise it (ulimit -n).");
}

}  // namespace

LiveLoop::LiveLoop(const Endpoint& endpoint) {
    servers_.push_back({{reactor_, resolved(endpoint), {}, {}}, nullptr});
}

void LiveLoop::add(RedisProcess& server) { servers_.push_back(server_on(server)); }

void LiveLoop::add_replica(RedisProcess& replica) { replica_.emplace(server_on(replica)); }

LiveLoop::Summary LiveLoop::run(std::vector<LiveConfig> episodes, std::size_t parallel,
                                const Finished& finished) {
    RunsAtOnce at_once(parallel);
    return run(std::move(episodes), at_once, finished);
}

LiveLoop::Summary LiveLoop::run(std::vector<LiveConfig> episodes, RunsAtOnce& at_once,
                                const Finished& finished) {
    for (const LiveConfig& config : episodes) check(config);
    check_files(episodes, at_once.most());
    const bool needs_replica =
        std::any_of(episodes.begin(), episodes.end(),
                    [](const LiveConfig& config) { return config.topology.replicas > 0; });
    if (needs_replica) replica_->process->follow(*servers_.front().process);
    failed_over_ = false;
    for (const Server& server : servers_) {
        if (server.process == nullptr) keys_.announce(server.upstream.endpoint);
    }
    try {
        run_all(std::move(episodes), at_once, finished);
    } catch (...) {
        drop_all(at_once);
        clean_up();
        throw;
    }
    Summary summary;
    summary.interrupted = interrupted();
    drop_all(at_once);
    summary.keys_left = clean_up();
    return summary;
}

void LiveLoop::check(const LiveConfig& config) const {
    LOCKLAB_ASSERT(config.algorithm != nullptr && config.clients > 0);
    LOCKLAB_ASSERT(config.command_timeout > Duration::zero());
    LOCKLAB_ASSERT(config.patience > Duration::zero());
    const bool is_private = servers_.front().process != nullptr;
    const std::string first = to_string(servers_.front().upstream.endpoint);
    require_servers(*config.algorithm, config.topology, static_cast<std::uint32_t>(servers_.size()),
                    is_private ? "there are " + std::to_string(servers_.size()) : first + " is one",
                    is_private ? "start more" : "leave out --redis and LOCKLAB_REDIS");
    if (config.topology.replicas > 0 && !replica_) {
        throw std::invalid_argument("A failover needs redis-servers of locklab's own, and " +
                                    first + " is not: leave out --redis and LOCKLAB_REDIS.");
    }
    for (const PlannedFault& fault : config.plan) {
        LOCKLAB_ASSERT(fault.node.value < config.topology.nodes());
        const std::string name(name_of(fault.hazard));
        if (!row_of(fault.hazard).live) {
            throw std::invalid_argument("The fault " + name +
                                        " cannot be made on a real server: use --world sim.");
        }
        if (restarts_server(fault.hazard) && !is_private) {
            throw std::invalid_argument(
                "The fault restart needs a redis-server of locklab's own, and " + first +
                " is not: leave out --redis and LOCKLAB_REDIS.");
        }
    }
}

void LiveLoop::run_all(std::vector<LiveConfig> episodes, RunsAtOnce& at_once,
                       const Finished& finished) {
    std::size_t next = 0;
    while (!interrupted() && (next < episodes.size() || !under_way_.empty())) {
        for (std::size_t begun = 0;
             begun < kBegunInATurn && next < episodes.size() && at_once.begin(); ++begun, ++next) {
            under_way_.push_back({next, nullptr, episodes[next].scale, Duration::zero()});
            under_way_.back().episode =
                std::make_unique<LiveEpisode>(std::move(episodes[next]), keys_.fresh_key(), *this);
            under_way_.back().episode->start();
        }
        reactor_.turn();
        take_lag(at_once);
        hand_out_finished(at_once, finished);
    }
}

void LiveLoop::take_lag(RunsAtOnce& at_once) {
    const Duration lag = reactor_.take_worst_lag();
    bool late = false;
    for (UnderWay& each : under_way_) {
        each.worst_lag = std::max(each.worst_lag, lag);
        each.clock.look();
        late = late || lag > RunsAtOnce::most_lag(each.ttl);
    }
    if (late) at_once.was_late();
}

void LiveLoop::hand_out_finished(RunsAtOnce& at_once, const Finished& finished) {
    for (std::size_t i = under_way_.size(); i-- > 0;) {
        if (!under_way_[i].episode->over()) continue;
        std::swap(under_way_[i], under_way_.back());
        const UnderWay done = std::move(under_way_.back());
        under_way_.pop_back();
        at_once.ended();
        LiveResult result = done.episode->take_result();
        result.worst_lag = done.worst_lag;
        result.clock_step = done.clock.worst_step();
        finished(done.index, std::move(result));
    }
}

void LiveLoop::drop_all(RunsAtOnce& at_once) {
    for (; !under_way_.empty(); under_way_.pop_back()) at_once.ended();
}

std::string LiveLoop::clean_up() {
    reactor_.forget(*this);
    for (Server& server : servers_) {
        if (std::exchange(server.down, false)) server.process->launch();
    }
    std::string keys_left;
    if (failed_over_) keys_.clear(replica_->upstream.endpoint);
    for (Server& server : servers_) {
        if (std::exchange(server.was_restarted, false)) server.process->await_ready();
        const std::string left = keys_.clear(server.upstream.endpoint);
        // Keys left on a private server vanish with it.
        if (server.process == nullptr) keys_left += left;
    }
    return keys_left;
}

void LiveLoop::restart_server(const LiveRun& asking, const PlannedFault& fault) {
    const NodeId node = fault.node;
    for (const UnderWay& each : under_way_) {
        if (each.episode->uses(node) && !each.episode->is(asking)) each.episode->note_fault(fault);
    }
    Server& server = servers_[node.value];
    const auto back_at = Reactor::Clock::now() + fault.amount;
    if (server.down && server.back_at >= back_at) return;
    if (!server.down) server.process->kill();
    server.down = server.was_restarted = true;
    server.back_at = back_at;
    reactor_.wake_at(server.back_at, *this, {kLaunch, 0, node.value});
}

void LiveLoop::fail_over(const LiveRun& asking, const PlannedFault& fault) {
    replica_->process->take_over();
    failed_over_ = true;
    for (const UnderWay& each : under_way_) {
        if (!each.episode->has_replica()) continue;
        if (!each.episode->is(asking)) each.episode->note_fault(fault);
        each.episode->let_learn(fault.amount);
    }
}

/// A server that is down for longer than planned is a disturbance like a late alarm: a client that
/// was inside may have left before another could come in.
void LiveLoop::wake(const Reactor::Alarm& alarm) {
    const NodeId node{static_cast<std::uint32_t>(alarm.value)};
    Server& server = servers_[node.value];
    if (alarm.kind == kLaunch) {
        // Another restart keeps it down for longer, or it is up already.
        if (!server.down || Reactor::Clock::now() < server.back_at) return;
        server.down = false;
        server.process->launch();
    } else if (server.process->listens()) {
        const auto now = Reactor::Clock::now();
        const auto late = std::chrono::duration_cast<Duration>(now - server.back_at);
        for (UnderWay& each : under_way_) {
            if (each.episode->uses(node)) each.worst_lag = std::max(each.worst_lag, late);
        }
        return;
    }
    reactor_.wake_after(kLookAgain, *this, {kLook, 0, node.value});
}

}  // namespace locklab
