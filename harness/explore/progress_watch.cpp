#include "harness/explore/progress_watch.h"

#include "harness/explore/plain_run.h"

namespace locklab {

bool ProgressWatch::look(StateId id, const State& state, const std::function<Path()>& way_to_it) {
    const Bounds& bounds = rules_.bounds();
    const bool all_release = rules_.environment(state).budget.leaves() == bounds.leaves;
    if (!all_release) return false;
    bool all_get_it = true;
    bool is_anybody_alive = false;
    for (std::uint32_t i = 0; bounds.waits_on && i < bounds.clients; ++i) {
        const std::uint32_t client = state.clients[i];
        if (rules_.client_table().state(client).node == ClientModel::kDone) continue;
        is_anybody_alive = true;
        all_get_it = gets_it_alone(id, state, i) && all_get_it;
    }
    if (!is_anybody_alive) all_get_it = gets_it_alone(id, state, OrphanProbe::kNewcomer);
    if (all_get_it || needs_waiters_) return false;
    // A client does not get it alone; it may be the turn of another that tries too.
    stuck_ = who_is_stuck_after(way_to_it(), algorithm_, bounds, scripts_);
    if (!stuck_) (bounds.waits_on ? counts_on_waiters_ : needs_waiters_) = true;
    return stuck_.has_value();
}

bool ProgressWatch::gets_it_alone(StateId id, const State& state, std::uint32_t client) {
    const std::optional<Duration> wait = probe_.wait(state, client);
    if (!wait || *wait <= longest_wait_) return wait.has_value();
    longest_wait_ = *wait;
    waiting_ = Waiting{id, client};
    return true;
}

bool ProgressWatch::should_keep_clients() const {
    const ClientModel& clients = rules_.clients();
    const bool differ = clients.tells_clients() || clients.remembers() || needs_waiters_ ||
                        !rules_.bounds().unequal.empty() || algorithm_.both_modes;
    return differ && !rules_.bounds().waits_on;
}

void ProgressWatch::forget() {
    probe_.forget();
    stuck_.reset();
    longest_wait_ = Duration::zero();
    waiting_.reset();
    counts_on_waiters_ = needs_waiters_ = false;
}

}  // namespace locklab
