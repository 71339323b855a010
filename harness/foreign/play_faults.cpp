#include "harness/foreign/play_faults.h"

#include <algorithm>
#include <utility>

#include "harness/core/assert.h"
#include "harness/foreign/play_spec.h"
#include "harness/foreign/subject.h"

namespace locklab {

namespace {

/// Of a TTL: a server that restarts is away for so long.
constexpr int kOutagePercent = 5;

}  // namespace

PlayFaults::PlayFaults(PlayWorld& world, const PlaySpec& spec, bool asks)
    : world_(world),
      asks_(asks),
      left_(spec.faults),
      length_(spec.ttl * spec.fault_percent / 100),
      outage_(spec.ttl * kOutagePercent / 100),
      starts_(world.nodes()),
      thaws_(world.nodes()),
      arrived_(world.nodes()) {}

Duration PlayFaults::amount_of(const HazardRow& row) const {
    if (row.size == FaultSize::none) return Duration(0);
    return row.size == FaultSize::outage ? outage_ : length_;
}

void PlayFaults::strike(const PlayOption& option, std::span<PlayClient> clients) {
    --left_[option.hazard];
    PlayClient& client = clients[option.client];
    const Instant until = world_.now() + option.amount;
    switch (row_of(option.hazard).target) {
        case FaultTarget::link: return strike_message(option, client);
        case FaultTarget::node: return strike_server(option);
        case FaultTarget::call: return world_.cancel(option.client, *client.worker.try_under_way());
        case FaultTarget::client:
        case FaultTarget::nobody: break;
    }
    if (row_of(option.hazard).size == FaultSize::clock) {
        world_.set_clock(option.client, option.amount);
    } else if (row_of(option.hazard).size == FaultSize::job) {
        client.leaves_at = until;
    } else if (row_of(option.hazard).size == FaultSize::pause) {
        world_.stop(option.client);
        client.paused_until = until;
    } else {
        client.worker.crash();
        world_.kill(option.client);
    }
}

void PlayFaults::strike_server(const PlayOption& option) {
    const NodeId node = option.node;
    const Instant until = world_.now() + option.amount;
    switch (*server_fault(option.hazard)) {
        case ServerFault::jump_clock: return world_.set_server_clock(node, option.amount);
        case ServerFault::evict: return world_.evict(node, option.key);
        case ServerFault::flush: return world_.flush(node);
        case ServerFault::hang: thaws_[node.value] = until; return world_.freeze_server(node);
        case ServerFault::restart:
            thaws_[node.value].reset();
            arrived_[node.value].clear();
            starts_[node.value] = until;
            return world_.kill_server(node);
        case ServerFault::restart_with_old_data:
        case ServerFault::fail_over: break;
    }
    LOCKLAB_ASSERT(false && "not made in plays");
}

void PlayFaults::strike_message(const PlayOption& option, PlayClient& client) {
    const HeldFrame frame = world_.held()[option.held];
    if (cuts_link(option.hazard)) {
        cut_until_[{frame.client, frame.node}] = world_.now() + option.amount;
        return;
    }
    if (option.amount != Duration(0)) {
        late_.push_back({{frame.connection, frame.way}, world_.now() + option.amount});
        return;
    }
    LOCKLAB_ASSERT(strikes_messages(option.hazard));
    FaultRule rule;
    if (is_told_at_once(option.hazard)) {
        const bool is_reply = frame.way == LinkWay::reply;
        rule.fault = option.error ? LinkFault::error
                     : is_reply   ? LinkFault::reset_reply
                                  : LinkFault::reset_request;
        rule.kind = option.error;
        return world_.let_go(frame, &rule);
    }
    const auto found = std::ranges::find(kLinkFaults, name_of(option.hazard), &LinkFaultRow::name);
    if (found != kLinkFaults.end()) {
        rule.fault = found->fault;
        client.awaits_lost = true;
    } else {
        rule.fault = LinkFault::repeat_request;
        rule.amount = kUntilTold;
    }
    world_.let_go(frame, &rule);
}

void PlayFaults::take_arrivals() {
    for (const NodeId node : world_.all_nodes()) {
        std::deque<std::uint32_t>& arrived = arrived_[node.value];
        if (arrived.empty() && !thaws_[node.value]) continue;
        std::vector<std::uint32_t> waiting;
        for (const HeldFrame& frame : world_.held()) {
            const bool is_its = frame.way == LinkWay::request && frame.node == node;
            if (is_its && !is_late(frame, world_.now())) waiting.push_back(frame.connection);
        }
        const auto is_known = [](const auto& connections, std::uint32_t connection) {
            return std::ranges::find(connections, connection) != connections.end();
        };
        std::erase_if(arrived, [&](std::uint32_t each) { return !is_known(waiting, each); });
        if (!thaws_[node.value]) continue;
        for (const std::uint32_t each : waiting) {
            if (!is_known(arrived, each)) arrived.push_back(each);
        }
    }
}

bool PlayFaults::has_arrived(const HeldFrame& frame) const {
    const std::deque<std::uint32_t>& arrived = arrived_[frame.node.value];
    return frame.way == LinkWay::request &&
           std::ranges::find(arrived, frame.connection) != arrived.end();
}

bool PlayFaults::came_behind(const HeldFrame& frame) const {
    return has_arrived(frame) && !thaws_[frame.node.value];
}

bool PlayFaults::hung_since(Instant then) const {
    return (went_on_ && *went_on_ > then) || !cut_until_.empty() ||
           std::ranges::any_of(thaws_, [](const auto& thaw) { return thaw.has_value(); });
}

bool PlayFaults::is_cut(std::uint32_t client, NodeId node, Instant now) const {
    const auto cut = cut_until_.find({client, node});
    return cut != cut_until_.end() && cut->second > now;
}

bool PlayFaults::is_late(const HeldFrame& frame, Instant now) const {
    if (is_cut(frame.client, frame.node, now)) return true;
    return std::ranges::any_of(late_, [&](const auto& late) {
        return late.first == Way{frame.connection, frame.way} && late.second > now;
    });
}

bool PlayFaults::is_held_back(const HeldFrame& frame, Instant now) const {
    if (is_late(frame, now)) return true;
    if (frame.way == LinkWay::reply) return false;
    const std::deque<std::uint32_t>& arrived = arrived_[frame.node.value];
    return thaws_[frame.node.value] || (!arrived.empty() && arrived.front() != frame.connection);
}

std::optional<Instant> PlayFaults::next_time() const {
    std::optional<Instant> first;
    const auto take = [&](std::optional<Instant> at) {
        if (at && (!first || *at < *first)) first = at;
    };
    for (const std::optional<Instant>& start : starts_) take(start);
    for (const std::optional<Instant>& thaw : thaws_) take(thaw);
    for (const auto& [way, until] : late_) {
        if (until > world_.now()) take(until);
    }
    for (const auto& [link, until] : cut_until_) {
        if (until > world_.now()) take(until);
    }
    return first;
}

bool PlayFaults::pass(std::span<PlayClient> clients) {
    const Instant now = world_.now();
    const auto is_over = [now](const auto& held) { return held.second <= now; };
    const std::size_t late = std::erase_if(late_, is_over);
    const std::size_t healed = std::erase_if(cut_until_, is_over);
    if (healed > 0) went_on_ = now;
    bool passed = healed + late > 0;
    take_arrivals();
    for (const NodeId node : world_.all_nodes()) {
        const auto ends = [&](std::optional<Instant>& end) {
            if (!end || *end > now) return false;
            end.reset();
            passed = true;
            return true;
        };
        if (ends(starts_[node.value])) world_.start_server(node);
        if (!ends(thaws_[node.value])) continue;
        went_on_ = now;
        world_.thaw_server(node);
    }
    for (std::uint32_t i = 0; i < clients.size(); ++i) {
        PlayClient& client = clients[i];
        if (!client.paused_until || *client.paused_until > now) continue;
        client.paused_until.reset();
        world_.go_on(i);
        passed = true;
    }
    return passed;
}

void PlayFaults::end() {
    for (const NodeId node : world_.all_nodes()) {
        if (std::exchange(starts_[node.value], {})) world_.start_server(node);
        if (std::exchange(thaws_[node.value], {})) world_.thaw_server(node);
    }
}

}  // namespace locklab
