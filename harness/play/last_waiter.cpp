#include "harness/play/last_waiter.h"

#include <algorithm>

#include "harness/core/limits.h"

namespace locklab {

void LastWaiter::bring_newcomer() {
    const ClientId newcomer{find_.bounds.clients};
    const std::vector<ClientId> others = let_refused_try_on();
    if (stage_.has_taken_over()) stage_.learn(newcomer);
    stage_.start(newcomer);
    wait_for_grant(newcomer, 0, others);
}

void LastWaiter::let_wait(ClientId waiter, bool knows_master) {
    for (ClientId other; other.value < find_.bounds.clients; ++other.value) {
        const bool is_there = stage_.started(other) && !stage_.progress(other).gone;
        if (other != waiter && is_there) stage_.go_home(other);
    }
    const std::uint32_t grants = stage_.progress(waiter).grants;
    if (stage_.has_taken_over() && !knows_master) stage_.learn(waiter);
    if (stage_.started(waiter)) {
        stage_.resume(waiter);
        stage_.wake_early(waiter);
    } else {
        stage_.start(waiter);
    }
    wait_for_grant(waiter, grants, {});
}

void LastWaiter::wait_for_grant(ClientId waiter, std::uint32_t grants,
                                const std::vector<ClientId>& others) {
    const auto acts = [&](const Wait& wait) {
        const bool tries_on = std::ranges::find(others, wait.client) != others.end();
        return wait.client == waiter || (tries_on && stage_.phase(wait.client) != Phase::idle);
    };
    const Instant began = stage_.time();
    const auto end = [&] {
        return std::max(began, stage_.last_grant()) + newcomer_patience(find_.bounds);
    };
    while (stage_.progress(waiter).grants == grants && stage_.time() < end()) {
        const std::vector<Cue> moves = stage_.moves();
        const auto move =
            std::ranges::find_if(moves, [&](const Cue& cue) { return acts(*cue.wait); });
        if (move == moves.end()) {
            stage_.pass_until(stage_.next_due(acts).value_or(end()));
            continue;
        }
        if (++moves_ > kMostMoves) {
            throw BoundHit("the find is not over after " + std::to_string(kMostMoves) +
                           " moves of the client that waits; right would be a longer wait_us");
        }
        stage_.make(*move);
    }
}

std::vector<ClientId> LastWaiter::let_refused_try_on() {
    std::vector<ClientId> refused;
    for (ClientId client; client.value < find_.bounds.clients; ++client.value) {
        const PlayStage::Progress& progress = stage_.progress(client);
        if (progress.unanswered && !progress.gone) stage_.go_home(client);
        if (!progress.refused || progress.gone) continue;
        refused.push_back(client);
        stage_.resume(client);
    }
    return refused;
}

}  // namespace locklab
