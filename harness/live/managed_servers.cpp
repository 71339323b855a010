#include "harness/live/managed_servers.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/core/assert.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

/// Time between checks whether a started server listens.
constexpr Duration kLookAgain = std::chrono::milliseconds(1);

}  // namespace

ManagedServers::ItsClock ManagedServers::clock_for(const FaultBudget& faults) {
    const bool jumps = faults.has([](const HazardRow& row) {
        return row.target == FaultTarget::node && row.size == FaultSize::clock;
    });
    return jumps ? ItsClock::can_be_wrong : ItsClock::right;
}

ManagedServers::ManagedServers(const Topology& topology, ItsClock clock) : topology_(topology) {
    for (std::uint32_t i = 0; i < size(); ++i) nodes_.push_back(started(clock));
    let_replicas_follow();
}

ManagedServers::Node ManagedServers::started(ItsClock clock) {
    Node node;
    std::map<std::string, std::string> environment;
    if (clock == ItsClock::can_be_wrong) {
        node.clock = std::make_unique<WrongClock>();
        environment = node.clock->environment();
    }
    node.process =
        std::make_unique<RedisProcess>(RedisProcess::Listen::on_socket, std::move(environment));
    if (node.clock == nullptr || node.clock->is_taken()) return node;
    throw std::runtime_error(
        "redis-server does not take the preloaded clock, so its clock cannot be set wrong.");
}

void ManagedServers::provide(const Topology& topology, ItsClock clock) {
    // New masters come before the replicas.
    while (topology_.masters < topology.masters) {
        nodes_.insert(nodes_.begin() + topology_.masters, started(clock));
        ++topology_.masters;
    }
    for (; topology_.replicas < topology.replicas; ++topology_.replicas) {
        nodes_.push_back(started(clock));
    }
    if (clock == ItsClock::right) return;
    for (Node& node : nodes_) {
        if (node.clock == nullptr) node = started(clock);
    }
}

void ManagedServers::let_replicas_follow() {
    for (std::uint32_t i = topology_.masters; i < size(); ++i) {
        nodes_[i].process->follow(*nodes_[0].process);
    }
    took_over_ = false;
}

void ManagedServers::begin_run(Keys keys) {
    end_run();
    let_replicas_follow();
    hung_until_.reset();
    keeps_.reset();
    keep_every_ = Duration(0);
    for (Node& node : nodes_) {
        if (node.clock != nullptr) node.clock->set_ahead(Duration(0));
        node.was_away = false;
        node.kept.clear();
        node.why_not_kept.clear();
        if (keys == Keys::stay) continue;
        SyncConnection(node.process->endpoint()).command(Command::of("FLUSHALL"));
    }
}

void ManagedServers::end_run() {
    keeps_.reset();
    for (Node& node : nodes_) {
        if (node.thaws) go_on(node);
        const bool is_down = node.process->pid() == 0;
        if (is_down) launch(node, std::exchange(node.with, {}));
        if (is_down || node.awaited) node.process->await_ready();
        node.awaited.reset();
    }
}

void ManagedServers::kill(NodeId id) {
    Node& node = at(id);
    node.thaws.reset();
    node.awaited.reset();
    node.process->kill();
    node.was_away = true;
}

void ManagedServers::launch(Node& node, const ServerSnapshot& with) {
    node.starts.reset();
    node.process->kill();
    if (node.clock != nullptr) node.clock->expect_process();
    node.process->launch(with);
}

void ManagedServers::bring_back(NodeId id, const ServerSnapshot& with) {
    launch(at(id), with);
    at(id).process->await_ready();
}

void ManagedServers::restart(NodeId id, Duration outage, const ServerSnapshot& with) {
    Node& node = at(id);
    const Clock::time_point back = Clock::now() + outage;
    kill(id);
    node.with = with;
    if (!node.starts || *node.starts < back) node.starts = back;
}

void ManagedServers::keep_snapshots(Duration every, Duration longest) {
    keep_every_ = every;
    keep_for_ = longest;
    keeps_ = Clock::now();
}

bool ManagedServers::answers(const Node& node) {
    return node.process->pid() != 0 && !node.thaws && !node.awaited;
}

/// Keeps nothing if the server does not tell its data, as may happen just after its start.
void ManagedServers::keep(Node& node, Clock::time_point now) {
    if (!answers(node)) return;
    try {
        node.kept.push_back({now, ServerSnapshot(node.process->endpoint())});
    } catch (const std::runtime_error& e) {
        // A server that has just started may still load its data.
        node.why_not_kept = e.what();
        return;
    }
    // The newest snapshot older than `keep_for_` is still needed; those before it are not.
    while (keep_every_ > Duration(0) && node.kept.size() > 1 && node.kept[1].at < now - keep_for_) {
        node.kept.pop_front();
    }
}

void ManagedServers::keep_snapshot(NodeId node) { keep(at(node), Clock::now()); }

const ManagedServers::Kept& ManagedServers::kept_at(NodeId node, Clock::time_point at) const {
    static const Kept kNothing{};
    const std::deque<Kept>& kept = this->at(node).kept;
    const std::string& why_not = this->at(node).why_not_kept;
    if (kept.empty() && !why_not.empty()) throw std::runtime_error(why_not);
    const auto later = std::ranges::upper_bound(kept, at, {}, &Kept::at);
    return later == kept.begin() ? kNothing : *std::prev(later);
}

Eviction ManagedServers::evict(NodeId node, const std::string& lock, EvictionDraw draw) const {
    if (!answers(at(node))) return {};
    SyncConnection server(endpoint(node));
    return evict_any(lock, draw, [&](const Command& command) { return server.command(command); });
}

std::optional<Duration> ManagedServers::flush(NodeId node) const {
    if (!answers(at(node))) return std::nullopt;
    SyncConnection server(endpoint(node));
    return flush_all([&](const Command& command) { return server.command(command); });
}

Duration ManagedServers::clock_ahead(NodeId node) const {
    return at(node).clock == nullptr ? Duration(0) : at(node).clock->ahead();
}

void ManagedServers::take_over() {
    at(topology_.replica()).process->take_over();
    took_over_ = true;
}

void ManagedServers::take_over_with_all() {
    at(topology_.replica()).process->await_all_of(*nodes_[0].process);
    take_over();
}

bool ManagedServers::freeze(NodeId id, Duration length) {
    Node& node = at(id);
    if (!answers(node) || !node.process->stop()) return false;
    node.thaws = Clock::now() + length;
    hung_until_ = std::max(hung_until_.value_or(*node.thaws), *node.thaws);
    node.was_away = true;
    return true;
}

void ManagedServers::go_on(Node& node) {
    node.thaws.reset();
    node.process->go_on();
    hung_until_ = std::max(hung_until_.value_or(Clock::now()), Clock::now());
}

void ManagedServers::thaw(NodeId node) {
    if (hangs(node)) go_on(at(node));
}

std::optional<ManagedServers::Clock::time_point> ManagedServers::next_due() const {
    std::optional<Clock::time_point> next = keeps_;
    const auto take = [&](std::optional<Clock::time_point> due) {
        if (due && (!next || *due < *next)) next = due;
    };
    for (const Node& node : nodes_) {
        take(node.starts);
        take(node.thaws);
        if (node.awaited) take(std::max(*node.awaited, Clock::now() + kLookAgain));
    }
    return next;
}

std::vector<ManagedServers::Late> ManagedServers::do_due(Clock::time_point now) {
    std::vector<Late> late;
    for (std::uint32_t i = 0; i < size(); ++i) {
        Node& node = nodes_[i];
        const auto is_there = [&](Clock::time_point planned) {
            const auto by = std::chrono::duration_cast<Duration>(Clock::now() - planned);
            late.push_back({NodeId{i}, by});
        };
        if (node.thaws && *node.thaws <= now) {
            const Clock::time_point planned = *node.thaws;
            go_on(node);
            is_there(planned);
        }
        if (node.starts && *node.starts <= now) {
            const Clock::time_point planned = *node.starts;
            launch(node, std::exchange(node.with, {}));
            node.awaited = planned;
        }
        if (node.awaited && node.process->listens()) {
            is_there(*std::exchange(node.awaited, {}));
        }
    }
    if (keeps_ && *keeps_ <= now) {
        for (Node& node : nodes_) keep(node, now);
        keeps_ = Clock::now() + keep_every_;
    }
    return late;
}

}  // namespace locklab
