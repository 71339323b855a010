#include "harness/explore/progress_watch.h"

#include "harness/explore/plain_run.h"

namespace locklab {

template <class Ask>
void ProgressWatch::each_who_tries(const State& state, Ask ask) const {
    const Bounds& bounds = rules_.bounds();
    bool is_anybody_alive = false;
    for (std::uint32_t i = 0; bounds.waits_on && i < bounds.clients; ++i) {
        const std::uint32_t client = state.clients[i];
        if (rules_.client_table().state(client).node == ClientModel::kDone) continue;
        is_anybody_alive = true;
        ask(i);
    }
    if (!is_anybody_alive) ask(OrphanProbe::kNewcomer);
}

bool ProgressWatch::is_news(const State& state) const {
    if (!all_release(state)) return false;
    bool is_news = false;
    each_who_tries(state, [&](std::uint32_t client) {
        const std::optional<Duration> wait = probe_.known_wait(state, client);
        is_news = is_news || !wait || *wait > longest_wait_;
    });
    return is_news;
}

bool ProgressWatch::look(StateId id, const State& state, const std::function<Path()>& way_to_it) {
    const Bounds& bounds = rules_.bounds();
    if (!all_release(state)) return false;
    bool all_get_it = true;
    each_who_tries(state, [&](std::uint32_t client) {
        all_get_it = gets_it_alone(id, state, client) && all_get_it;
    });
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
