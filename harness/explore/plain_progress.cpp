// Whether some live client never gets a lock that no live client holds, from where a plain run
// ended. No more faults strike. A run has endless continuations: a client is stuck if none of those
// that are tried grants it the lock.

#include <algorithm>
#include <memory>
#include <utility>

#include "harness/core/random_choices.h"
#include "harness/explore/plain_run.h"
#include "harness/explore/step_text.h"

namespace locklab {

namespace {

/// Random orders in which all try, besides the first order, in which each makes its step as soon as
/// it can.
constexpr std::uint64_t kOrders = 12;
/// How many grants each client may have in a random order; in the first order, one.
constexpr std::uint32_t kRoundsOfOthers = 3;

constexpr std::uint32_t bit_of(std::uint32_t client) { return 1U << client; }

}  // namespace

std::uint32_t PlainRun::alive() const {
    std::uint32_t alive = 0;
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
        if (!clients_[i].gone) alive |= bit_of(i);
    }
    return alive;
}

std::uint32_t PlainRun::go_on(std::uint32_t who, Choices* order) {
    for (std::uint32_t i = 0; i < clients_.size(); ++i) {
        if ((who & bit_of(i)) != 0) come_again(ClientId{i});
    }
    std::vector<std::uint32_t> before;
    for (const Client& client : clients_) before.push_back(client.work.grants());
    const auto grants_of = [&](std::uint32_t i) { return clients_[i].work.grants() - before[i]; };
    const auto granted = [&] {
        std::uint32_t all = 0;
        for (std::uint32_t i = 0; i < clients_.size(); ++i) {
            if (grants_of(i) > 0) all |= bit_of(i);
        }
        return all;
    };
    const std::uint32_t rounds = order == nullptr ? 1 : kRoundsOfOthers;
    Instant last_grant = now();
    std::uint32_t grants = grants_of_all();
    std::uint32_t moves = 0;
    while ((granted() & who) != who) {
        const auto may_begin = [&](std::uint32_t client) { return grants_of(client) < rounds; };
        const std::vector<Step> steps = offered_calmly(who, may_begin);
        if (steps.empty()) break;
        const auto pick = [&] {
            return order->pick(ChoiceKind::next_event, static_cast<std::uint32_t>(steps.size()));
        };
        make(steps[order == nullptr ? 0 : pick()]);
        count_newcomers_move(moves);
        const std::uint32_t last = std::exchange(grants, grants_of_all());
        if (grants != last) last_grant = now();
        if (now() - last_grant > newcomer_patience(bounds_)) break;
    }
    return granted();
}

/// The client tries at once, and then whenever a try is due. A newcomer uses the current master.
void PlainRun::come_again(ClientId id) {
    Client& client = clients_[id.value];
    client.work.try_on();
    if (id.value == bounds_.clients) {
        client.gone = false;
        client.begun = true;
        client.work.begin_step(TaskId{});
        if (std::ranges::any_of(pending_, [&](const Pending& pending) {
                return pending.move.kind == MoveKind::learn && pending.move.client == id;
            })) {
            let_learn(id);
        }
        cluster_.start(id, workloads_[id.value]);
        return settle(id);
    }
    for (Pending& pending : pending_) {
        const Move& move = pending.move;
        if (move.client != id || move.kind != MoveKind::fire || !move.task.is_worker()) continue;
        pending.window = {now(), now()};
        pending.stop = now();
    }
}

/// Fault-free steps of the clients `who` and of the network; passing of time comes last.
std::vector<Step> PlainRun::offered_calmly(std::uint32_t who, const MayBegin& may_begin) const {
    std::vector<Step> calm;
    std::vector<Step> passing;
    for (const Step& step : offered()) {
        if (hazard_of(step) || step.kind == Step::Kind::leave) continue;
        const bool is_clients = is_of_client(step.kind) && step.kind != Step::Kind::arrive;
        if (is_clients && (who & bit_of(step.client)) == 0) continue;
        const bool begins = step.kind == Step::Kind::wake && task_of(step.slot) == 0 &&
                            phase_of(clients_[step.client], TaskId{}) == Phase::idle;
        if (begins && !may_begin(step.client)) continue;
        (step.kind == Step::Kind::pass ? passing : calm).push_back(step);
    }
    calm.insert(calm.end(), passing.begin(), passing.end());
    return calm;
}

std::uint32_t PlainRun::grants_of_all() const {
    std::uint32_t grants = 0;
    for (const Client& client : clients_) grants += client.work.grants();
    return grants;
}

std::optional<ClientId> who_is_stuck(PlainRun& run, const Path& path, const Algorithm& algorithm,
                                     const Bounds& bounds, ScriptEngine& scripts) {
    if (run.has_left()) return std::nullopt;
    const std::uint32_t newcomer = bit_of(bounds.clients);
    const std::uint32_t alive = run.alive() == 0 ? newcomer : run.alive();
    // Each of these clients was granted the lock, while the others went on, or after they had.
    const std::uint32_t granted = run.go_on(alive, nullptr);
    const auto goes_on = [&](std::uint32_t who, std::uint32_t client, Choices* order) {
        PlainRun again(algorithm, bounds, scripts, path.clocks);
        for (const Step& step : path.steps) again.make(step);
        return (again.go_on(who, order) & bit_of(client)) != 0;
    };
    const auto gets_it = [&](std::uint32_t client) {
        if (alive == bit_of(client)) return false;
        if (goes_on(bit_of(client), client, nullptr)) return true;
        for (std::uint64_t i = 0; i < kOrders; ++i) {
            RandomChoices order(i);
            if (goes_on(alive, client, &order)) return true;
        }
        return false;
    };
    for (std::uint32_t i = 0; i <= bounds.clients; ++i) {
        if ((alive & ~granted & bit_of(i)) != 0 && !gets_it(i)) return ClientId{i};
    }
    return std::nullopt;
}

std::optional<ClientId> who_is_stuck_after(const Path& path, const Algorithm& algorithm,
                                           const Bounds& bounds, ScriptEngine& scripts) {
    PlainRun run(algorithm, bounds, scripts, path.clocks);
    for (const Step& step : path.steps) run.make(step);
    return who_is_stuck(run, path, algorithm, bounds, scripts);
}

}  // namespace locklab
