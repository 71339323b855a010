// Whether a lock that nobody alive holds, as a plain run leaves it, can still be had.

#include <algorithm>
#include <utility>

#include "harness/explore/plain_run.h"
#include "harness/explore/step_text.h"

namespace locklab {

bool PlainRun::is_stuck() {
    if (leaves_ != bounds_.leaves) return false;
    const ClientId newcomer{bounds_.clients};
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) let_try_on(ClientId{i});
    bring(newcomer);
    Instant last_grant = now();
    std::uint32_t grants = 0;
    std::uint32_t moves = 0;
    while (clients_[newcomer.value].work.grants() == 0) {
        const std::optional<Step> step = next_in_time();
        if (!step) return true;
        make(*step);
        count_newcomers_move(moves);
        const std::uint32_t before = std::exchange(grants, grants_of_all());
        if (grants != before) last_grant = now();
        if (now() - last_grant > newcomer_patience(bounds_)) return true;
    }
    return false;
}

/// Who was refused tries again, at once and then in time. All others have no more to do with it.
void PlainRun::let_try_on(ClientId id) {
    Client& client = clients_[id.value];
    if (client.gone) return;
    if (!client.begun || !client.work.was_refused()) {
        client.gone = true;
        forget(id);
        return;
    }
    client.work.try_on();
    for (Pending& pending : pending_) {
        if (pending.move.client != id || pending.move.kind != MoveKind::fire) continue;
        pending.window = {now(), now()};
        pending.stop = now();
    }
}

/// It comes to whoever is master now.
void PlainRun::bring(ClientId newcomer) {
    Client& client = clients_[newcomer.value];
    client.gone = false;
    client.begun = true;
    client.work.try_on();
    client.work.begin_step(TaskId{});
    if (std::ranges::any_of(pending_, [&](const Pending& pending) {
            return pending.move.kind == MoveKind::learn && pending.move.client == newcomer;
        })) {
        let_learn(newcomer);
    }
    cluster_.start(newcomer, workloads_[newcomer.value]);
    settle(newcomer);
}

/// No fault, and nobody begins another round. Nothing: nobody waits for anything any more.
std::optional<Step> PlainRun::next_in_time() const {
    std::optional<Step> next;
    for (const Step& step : offered()) {
        const bool begins = step.kind == Step::Kind::wake && task_of(step.slot) == 0 &&
                            phase_of(clients_[step.client], TaskId{}) == Phase::idle;
        const bool is_calm = !hazard_of(step) && step.kind != Step::Kind::leave && !begins;
        if (!is_calm) continue;
        if (step.kind != Step::Kind::pass) return step;
        next = step;
    }
    return next;
}

std::uint32_t PlainRun::grants_of_all() const {
    std::uint32_t grants = 0;
    for (const Client& client : clients_) grants += client.work.grants();
    return grants;
}

bool is_stuck_after(const Path& path, const Algorithm& algorithm, const Bounds& bounds,
                    ScriptEngine& scripts) {
    PlainRun run(algorithm, bounds, scripts, path.clocks);
    for (const Step& step : path.steps) run.make(step);
    return run.is_stuck();
}

}  // namespace locklab
