// Which requests arrive next, and those that wait at servers that hang, in the order in which they
// came.

#include <algorithm>

#include "harness/explore/plain_run.h"

namespace locklab {

bool PlainRun::is_in_queue(std::uint32_t message) const {
    return std::ranges::any_of(queues_, [message](const auto& queue) {
        return std::ranges::find(queue, message) != queue.end();
    });
}

std::vector<const PlainRun::Pending*> PlainRun::served() const {
    std::vector<const Pending*> served;
    for (std::uint32_t i = 0; i < queues_.size(); ++i) {
        if (queues_[i].empty() || hangs(NodeId{i})) continue;
        for (const Pending& pending : pending_) {
            const bool is_first =
                pending.move.kind == MoveKind::arrive && pending.move.message == queues_[i].front();
            if (is_first) served.push_back(&pending);
        }
    }
    return served;
}

const PlainRun::Pending* PlainRun::first_arrival(const Route& route) const {
    const Pending* first = nullptr;
    for (const Pending& pending : pending_) {
        const Move& move = pending.move;
        const Route& its = route_of(move);
        const bool is_same_way =
            its.client == route.client && its.channel == route.channel && its.node == route.node;
        if (move.kind != MoveKind::arrive || !is_same_way) continue;
        if (is_in_queue(move.message)) continue;
        if (first == nullptr || pending.window.latest < first->window.latest) first = &pending;
    }
    return first;
}

/// The request runs, or joins those that wait at a server that hangs.
void PlainRun::let_arrive(const Step& step) {
    const std::vector<const Pending*> served = this->served();
    if (!served.empty()) {
        const auto its = std::ranges::find_if(served, [&](const Pending* pending) {
            return step_at(step.kind, pending->move) == step;
        });
        LOCKLAB_ASSERT(its != served.end());
        std::vector<std::uint32_t>& queue = queues_[server_of(step.slot)];
        queue.erase(queue.begin());
        cluster_.apply(take(**its));
        return;
    }
    const NodeId server{server_of(step.slot)};
    if (!hangs(server)) return cluster_.apply(take_arrival(step));
    for (Pending& pending : pending_) {
        const bool is_it = pending.move.kind == MoveKind::arrive &&
                           step_at(step.kind, pending.move) == step &&
                           first_arrival(route_of(pending.move)) == &pending;
        if (!is_it) continue;
        pending.window.latest = pending.stop = now();
        queues_[server.value].push_back(pending.move.message);
        return;
    }
    LOCKLAB_ASSERT(false && "it was offered");
}

}  // namespace locklab
