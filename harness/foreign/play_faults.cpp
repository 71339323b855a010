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

bool is_of(LinkWay way, Hazard hazard) {
    const bool of_reply = hazard == Hazard::lose_reply || hazard == Hazard::delay_reply;
    return of_reply == (way == LinkWay::reply);
}

}  // namespace

PlayFaults::PlayFaults(PlayWorld& world, const PlaySpec& spec)
    : world_(world),
      left_(spec.faults),
      length_(spec.ttl * spec.fault_percent / 100),
      outage_(spec.ttl * kOutagePercent / 100),
      starts_(world.nodes()) {}

Duration PlayFaults::amount_of(const HazardRow& row) const {
    if (row.size == FaultSize::none) return Duration(0);
    return row.size == FaultSize::outage ? outage_ : length_;
}

void PlayFaults::offer(std::span<const PlayClient> clients,
                       std::vector<PlayOption>& options) const {
    const Instant now = world_.now();
    for (const HazardRow& row : kHazards) {
        if (left_[row.hazard] == 0) continue;
        const auto add = [&](std::uint32_t client, std::size_t held, Duration amount) {
            options.push_back(
                {PlayMove::fault, kFaultActor + client, client, held, row.hazard, amount});
        };
        if (row.target == FaultTarget::node) {
            offer_servers(row, options);
            continue;
        }
        for (std::size_t i = 0; row.target == FaultTarget::link && i < world_.held().size(); ++i) {
            const HeldFrame& frame = world_.held()[i];
            if (!is_of(frame.way, row.hazard) || is_held_back(frame, now)) continue;
            add(frame.client, i, amount_of(row));
        }
        for (std::uint32_t i = 0; row.target == FaultTarget::client && i < clients.size(); ++i) {
            const PlayClient& client = clients[i];
            if (client.is_dead() || client.paused_until || client.phase() == Phase::idle) continue;
            if (row.size == FaultSize::job && client.phase() != Phase::inside) continue;
            add(i, 0, amount_of(row));
            if (row.size == FaultSize::clock) add(i, 0, -amount_of(row));
        }
    }
}

void PlayFaults::offer_servers(const HazardRow& row, std::vector<PlayOption>& options) const {
    for (const NodeId node : world_.all_nodes()) {
        if (!world_.is_up(node)) continue;
        PlayOption option{
            PlayMove::fault, kFaultActor + kActorsOfANode * node.value, 0, 0, row.hazard,
            amount_of(row)};
        option.node = node;
        options.push_back(option);
        if (row.size != FaultSize::clock) continue;
        option.amount = -option.amount;
        options.push_back(option);
    }
}

void PlayFaults::strike(const PlayOption& option, std::span<PlayClient> clients) {
    --left_[option.hazard];
    PlayClient& client = clients[option.client];
    const Instant until = world_.now() + option.amount;
    switch (row_of(option.hazard).target) {
        case FaultTarget::link: return strike_message(option, client);
        case FaultTarget::node:
            if (row_of(option.hazard).size == FaultSize::clock) {
                return world_.set_server_clock(option.node, option.amount);
            }
            if (!restarts_server(option.hazard)) return world_.evict(option.node);
            starts_[option.node.value] = until;
            return world_.kill_server(option.node);
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

void PlayFaults::strike_message(const PlayOption& option, PlayClient& client) {
    const HeldFrame frame = world_.held()[option.held];
    if (option.amount != Duration(0)) {
        late_.push_back({{frame.connection, frame.way}, world_.now() + option.amount});
        return;
    }
    LOCKLAB_ASSERT(strikes_messages(option.hazard));
    FaultRule rule;
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

bool PlayFaults::is_held_back(const HeldFrame& frame, Instant now) const {
    return std::ranges::any_of(late_, [&](const auto& late) {
        return late.first == Way{frame.connection, frame.way} && late.second > now;
    });
}

std::optional<Instant> PlayFaults::next_time() const {
    std::optional<Instant> first;
    for (const std::optional<Instant>& start : starts_) {
        if (start && (!first || *start < *first)) first = start;
    }
    for (const auto& [way, until] : late_) {
        if (until > world_.now() && (!first || until < *first)) first = until;
    }
    return first;
}

bool PlayFaults::pass(std::span<PlayClient> clients) {
    const Instant now = world_.now();
    bool passed = std::erase_if(late_, [&](const auto& late) { return late.second <= now; }) > 0;
    for (const NodeId node : world_.all_nodes()) {
        std::optional<Instant>& start = starts_[node.value];
        if (!start || *start > now) continue;
        start.reset();
        world_.start_server(node);
        passed = true;
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
    }
}

}  // namespace locklab
