#include "tests/algorithms/watched.h"

#include <algorithm>
#include <utility>

#include "harness/core/token_text.h"

namespace locklab {

namespace {

constexpr Duration kWay = std::chrono::milliseconds(1);
constexpr Duration kLongest = std::chrono::hours(1);

}  // namespace

Watched::Watched(const Algorithm& algorithm, std::uint32_t clients, std::uint64_t enough)
    : enough_(enough), servers_(algorithm.topology().masters), clients_(clients) {
    for (std::uint32_t i = 0; i < clients; ++i) {
        machines_.push_back(std::make_unique<Machine>(ClientId{i}, *this));
        locks_.push_back(make_locks(algorithm, *machines_[i], Key{"lock"}, algorithm.defaults));
    }
}

bool Watched::run() {
    const auto finished = [](const auto& machine) { return machine->finished(); };
    while (!std::ranges::all_of(machines_, finished)) {
        const auto first = std::ranges::min_element(waits_, {}, &Wait::due);
        if (first == waits_.end() || first->due > Instant(kLongest)) return false;
        const Wait wait = std::move(*first);
        waits_.erase(first);
        now_ = wait.due;
        // Also one whose task was cancelled: it has left.
        Reply reply = wait.command ? answer(wait) : Reply();
        machines_[wait.client.value]->observe(wait.task, wait.ticket, std::move(reply), wait.node);
    }
    return true;
}

Reply Watched::answer(const Wait& wait) {
    const WallTime now = kEpoch + now_.time_since_epoch();
    if (wait.node != kOracle) return redis_[wait.node].execute(*wait.command, now, scripts_);
    Outbox out;
    const Route route{wait.client, channel_of(wait.task), wait.node};
    oracle_.on(Request{route, &*wait.command}, now, out);
    return out.take_reply();
}

void Watched::act(ClientId client, TaskId task, Action& action) {
    Wait wait{now_ + kWay, client, task, action.ticket, action.node, std::nullopt};
    if (action.kind == Action::Kind::sleep) {
        wait.due = now_ + std::max(action.sleep, Duration::zero());
    } else {
        wait.command = std::move(action.command);
        const bool mutex = (*wait.command)[0] == "TAKE" || (*wait.command)[0] == "GIVE";
        if (wait.node != kOracle) {
            seen_.redis_servers.insert(wait.node.value);
            if (clients_[client.value].inside) seen_.commands_inside = true;
        } else if (mutex) {
            seen_.asks_oracle = true;
        }
    }
    for (std::uint32_t i = 1; wait.command && action.to_all && i < servers_; ++i) {
        seen_.redis_servers.insert(i);
        waits_.push_back(wait);
        waits_.back().node = NodeId{i};
    }
    waits_.push_back(std::move(wait));
}

WallTime Watched::now(ClientId) {
    seen_.reads_wall_clock = true;
    return kEpoch + now_.time_since_epoch();
}

MonotonicTime Watched::monotonic(ClientId) {
    seen_.reads_monotonic_clock = true;
    return MonotonicTime(now_.time_since_epoch());
}

Token Watched::fresh_token(ClientId client) {
    return Token{token_text(TokenStyle::mixed, client.value, ++tokens_)};
}

void Watched::note(ClientId id, Phase, EventDetail detail, ResourceId) {
    Client& client = clients_[id.value];
    if (std::holds_alternative<event::Wants>(detail)) client.wish = ++wishes_;
    if (const auto* grant = std::get_if<event::Granted>(&detail)) granted(client, *grant);
    if (std::holds_alternative<event::Refused>(detail)) ++seen_.refusals;
    const bool leaves = std::holds_alternative<event::Leaving>(detail) ||
                        std::holds_alternative<event::Lost>(detail);
    if (leaves) client.inside = false;
}

void Watched::granted(Client& client, const event::Granted& grant) {
    for (const Client& other : clients_) {
        if (other.wish != 0 && other.wish < client.wish) seen_.overtaken = true;
    }
    if (grant.fence != 0) ++seen_.fences;
    client.wish = 0;
    client.inside = true;
}

}  // namespace locklab
