#include "harness/live/live_loop.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/live/open_files.h"
#include "harness/live/probe.h"
#include "harness/live/require_servers.h"
#include "harness/live/sync_connection.h"
#include "harness/store/write_guard.h"

namespace locklab {

namespace {

/// Time between snapshots of each server, if a restart may need an old one.
constexpr Duration kKeepEvery = std::chrono::milliseconds(10);
/// Runs begun per turn: making one takes a while, in which all others wait.
constexpr std::size_t kBegunInATurn = 8;

Hazard hazard_of(ServerFault what) {
    return std::ranges::find_if(
               kHazards, [what](const HazardRow& row) { return server_fault(row.hazard) == what; })
        ->hazard;
}

}  // namespace

LiveLoop::LiveLoop(const Endpoint& endpoint) : somebodys_(resolved(endpoint)) {}

Upstream& LiveLoop::upstream(const Topology& topology, NodeId node) {
    const Endpoint& endpoint = endpoint_of(is_private() ? managed(topology, node) : node);
    const std::string where = to_string(endpoint);
    const auto found = upstreams_.find(where);
    if (found != upstreams_.end()) return found->second;
    return upstreams_.emplace(where, Upstream{reactor_, endpoint, {}, {}}).first->second;
}

LiveLoop::Summary LiveLoop::run(std::vector<LiveConfig> episodes, std::size_t parallel,
                                const Finished& finished) {
    RunsAtOnce at_once(parallel);
    return run(std::move(episodes), at_once, finished);
}

LiveLoop::Summary LiveLoop::run(std::vector<LiveConfig> episodes, RunsAtOnce& at_once,
                                const Finished& finished) {
    for (const LiveConfig& config : episodes) check(config);
    check_files(episodes, at_once.most());
    if (is_private()) {
        servers_->begin_run(ManagedServers::Keys::stay);
        begin_faults(episodes);
    } else {
        keys_.announce(somebodys_);
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
    LOCKLAB_ASSERT(std::min(config.command_timeout, config.patience) > Duration::zero());
    const std::string first = is_private() ? "" : to_string(somebodys_);
    require_commands(*config.algorithm, is_private() ? servers_->endpoint() : somebodys_);
    require_servers(*config.algorithm, config.topology, masters(),
                    is_private() ? "there are " + std::to_string(masters()) : first + " is one",
                    is_private() ? "start more" : "leave out --redis and LOCKLAB_REDIS");
    if (config.topology.replicas > 0 && !is_private()) {
        throw std::invalid_argument("A failover needs redis-servers of locklab's own, and " +
                                    first + " is not: leave out --redis and LOCKLAB_REDIS.");
    }
    LOCKLAB_ASSERT(config.topology.replicas == 0 || servers_->topology().replicas > 0);
    for (const PlannedFault& fault : config.plan) {
        LOCKLAB_ASSERT(fault.node.value < config.topology.nodes());
        const std::string name(name_of(fault.hazard));
        if (const auto why = why_not_in(FaultWorld::live, fault.hazard); !why.empty()) {
            throw std::invalid_argument("The fault " + name + " cannot be made on a real server (" +
                                        std::string(why) + "): use --world sim.");
        }
        if (strikes_whole_server(fault.hazard) && !is_private()) {
            throw std::invalid_argument("The fault " + name +
                                        " needs a redis-server of locklab's own, and " + first +
                                        " is not: leave out --redis and LOCKLAB_REDIS.");
        }
    }
}

/// Snapshots are kept only if a plan needs an old one.
void LiveLoop::begin_faults(const std::vector<LiveConfig>& episodes) {
    Duration longest{0};
    for (const LiveConfig& config : episodes) {
        for (const PlannedFault& fault : config.plan) {
            const bool asks = row_of(fault.hazard).size == FaultSize::age;
            if (asks) longest = std::max(longest, fault.amount);
        }
    }
    if (longest > Duration(0)) servers_->keep_snapshots(kKeepEvery, longest);
    alarm_.reset();
    set_alarm();
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
            under_way_.back().episode->start(lasting_faults());
        }
        reactor_.turn();
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
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
    if (!is_private()) return keys_.clear(somebodys_);
    // Keys left on a private server vanish with it, so they are not reported.
    servers_->end_run();
    for (std::uint32_t i = 0; i < servers_->size(); ++i) {
        const bool follows = NodeId{i} == servers_->topology().replica() && !has_failed_over();
        if (!follows) keys_.clear(servers_->endpoint(NodeId{i}));
    }
    return {};
}

std::vector<event::Fault> LiveLoop::lasting_faults() const {
    std::vector<event::Fault> faults;
    const auto now = ManagedServers::Clock::now();
    for (std::uint32_t i = 0; is_private() && i < masters(); ++i) {
        const NodeId node{i};
        const auto add = [&](ServerFault what, Duration amount) {
            if (amount == Duration(0)) return;
            faults.push_back({.hazard = hazard_of(what), .amount = amount, .node = node});
        };
        add(ServerFault::jump_clock, servers_->clock_ahead(node));
        add(ServerFault::hang, servers_->hangs_for(node, now));
    }
    return faults;
}

std::optional<event::Fault> LiveLoop::plan_for_server(const PlannedFault& fault) const {
    return caught([&]() -> std::optional<event::Fault> {
        event::Fault planned{fault.hazard, fault.amount, 0, fault.node};
        if (row_of(fault.hazard).size == FaultSize::age) {
            const auto now = ManagedServers::Clock::now();
            const auto& kept = servers_->kept_at(fault.node, now - fault.amount);
            if (kept.at != ManagedServers::Clock::time_point()) {
                planned.amount = std::chrono::duration_cast<Duration>(now - kept.at);
            }
        }
        const bool can = !hangs(fault.hazard) || servers_->answers(fault.node);
        return can ? std::optional(planned) : std::nullopt;
    });
}

template <class Does>
auto LiveLoop::on_server(NodeId managed, Does does) {
    if (is_private() && !servers_->answers(managed)) return decltype(does(AskServer())){};
    SyncConnection server(endpoint_of(managed));
    return does([&](const Command& command) { return server.command(command); });
}

Eviction LiveLoop::evict(NodeId node, const Key& lock, EvictionDraw draw) {
    return on_server(node,
                     [&](const AskServer& ask) { return evict_of_run(lock.name, draw, ask); });
}

std::optional<Duration> LiveLoop::flush(NodeId node, const Key& lock) {
    return on_server(node, [&](const AskServer& ask) { return flush_of_run(lock.name, ask); });
}

/// The register is in this process, and nothing else happens here before the answer comes: nobody
/// is told of a grant, or reads the register, between this and the write. So it is as one script.
bool LiveLoop::holds(const Topology& topology, NodeId node, const Key& key, const Token& token) {
    return on_server(is_private() ? managed(topology, node) : node, [&](const AskServer& ask) {
        return ask(Command::eval(kHoldsToken, key, token)).is_integer(1);
    });
}

void LiveLoop::tell_others(const LiveRun& asking, const event::Fault& fault) {
    for (const UnderWay& each : under_way_) {
        const bool is_struck =
            takes_over(fault.hazard) ? each.episode->has_replica() : each.episode->uses(fault.node);
        if (is_struck && !each.episode->is(asking)) each.episode->note_fault(fault);
    }
}

void LiveLoop::strike_server(const LiveRun& asking, const event::Fault& fault) {
    caught([&] {
        const NodeId node = fault.node;
        tell_others(asking, fault);
        switch (*server_fault(fault.hazard)) {
            case ServerFault::restart: servers_->restart(node, fault.amount); break;
            case ServerFault::restart_with_old_data: {
                const auto then = ManagedServers::Clock::now() - fault.amount;
                servers_->restart(node, Duration(0), servers_->kept_at(node, then).data);
                break;
            }
            case ServerFault::jump_clock: servers_->jump_clock(node, fault.amount); break;
            case ServerFault::hang: servers_->freeze(node, fault.amount); break;
            case ServerFault::fail_over:
                servers_->take_over();
                for (const UnderWay& each : under_way_) {
                    if (each.episode->has_replica()) each.episode->let_learn(fault.amount);
                }
                break;
            case ServerFault::evict:
            case ServerFault::flush: LOCKLAB_ASSERT(false && "strikes keys of one run");
        }
        set_alarm();
    });
}

/// There is one alarm, or an earlier one and some that then find nothing to do.
void LiveLoop::set_alarm() {
    const auto due = servers_->next_due();
    if (!due || (alarm_ && *alarm_ <= *due)) return;
    alarm_ = due;
    reactor_.wake_at(*due, *this, {});
}

/// A server that is down or hangs for longer than planned is a disturbance like a late alarm: a
/// client that was inside may have left before another could come in.
void LiveLoop::wake(const Reactor::Alarm&) {
    caught([&] {
        if (!alarm_ || ManagedServers::Clock::now() < *alarm_) return;
        alarm_.reset();
        for (const ManagedServers::Late& late : servers_->do_due(ManagedServers::Clock::now())) {
            for (UnderWay& each : under_way_) {
                if (each.episode->uses(late.node))
                    each.worst_lag = std::max(each.worst_lag, late.by);
            }
        }
        set_alarm();
    });
}

}  // namespace locklab
