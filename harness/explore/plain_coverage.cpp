// What a plain run exercises.

#include "harness/explore/plain_run.h"
#include "harness/explore/step_text.h"

namespace locklab {

/// What the step is about to exercise; of a job that turns out to be none, nothing is kept.
void PlainRun::cover(const Step& step) {
    coverage_.sets_ttl = coverage_.sets_ttl || has_deadline();
    const Client& client = clients_[step.client];
    const TaskId task{task_of(step.slot)};
    const bool sends = step.kind == Step::Kind::send || is_command_fault(step.kind);
    if (sends) {
        const Message& message = cluster_.message(*ready_for(step));
        if (message.route.node != kOracle) {
            coverage_.sent.insert({shape_of(message.command), phase_of(client, task)});
        }
    }
    const std::optional<Hazard> hazard = hazard_of(step);
    if (!hazard) return;
    if (step.slow) {
        coverage_.strike(*hazard, Phase::inside);
    } else if (is_of_client(step.kind)) {
        const bool stall = step.kind == Step::Kind::stall;
        coverage_.strike(*hazard, phase_of(client, stall ? TaskId{1} : task));
    } else {
        for (const Client& each : clients_) coverage_.strike(*hazard, phase_of(each, TaskId{}));
    }
}

void PlainRun::cover_passing() {
    const auto has_expired = [this](NodeId server) {
        const KeyEntry* lock = lock_key(server);
        const WallTime time = cluster_.clock_of(server);
        return lock != nullptr && lock->has_deadline() &&
               lock->expired(time.time_since_epoch() / kMs);
    };
    bool any = false;
    for (std::uint32_t i = 0; i < cluster_.servers(); ++i) any = any || has_expired(NodeId{i});
    if (!any) return;
    coverage_.ran_out = true;
    for (const Client& client : clients_) {
        coverage_.ran_out_inside =
            coverage_.ran_out_inside || (!client.gone && client.work.inside());
    }
}

}  // namespace locklab
