#include "harness/inclusion/schedule.h"

#include "harness/inclusion/follower.h"

namespace locklab {

namespace {

Inclusion not_known(std::string why) {
    Inclusion found;
    found.found = Inclusion::Found::undecided;
    found.why = std::move(why);
    return found;
}

}  // namespace

Inclusion find_schedule(const History& history, const RunSpec& spec, Duration lag) {
    if (history.events.empty()) return Inclusion();
    if (spec.workload.job_limit != Duration::zero()) {
        return not_known("which jobs a time limit stopped is not told");
    }
    for (std::size_t i = 0; i < history.events.size(); ++i) {
        if (history.events[i].client.value < spec.workers()) continue;
        Inclusion found;
        found.found = Inclusion::Found::refused;
        found.event = i;
        found.why = "there is no such client";
        return found;
    }
    Inclusion found = Follower(history, spec, lag).follow();
    const bool by_the_clock =
        found.found == Inclusion::Found::refused && spec.algorithm->reads_wall_clock;
    if (by_the_clock) return not_known("its clients read clocks, and when is not told");
    const bool by_the_oracle =
        found.found == Inclusion::Found::refused && spec.algorithm->control == Control::never_wrong;
    if (by_the_oracle) return not_known("its clients ask the oracle, and when is not told");
    return found;
}

Inclusion find_inclusion(const History& history, const RunSpec& spec, Duration lag) {
    Inclusion order = find_order(history);
    if (order.found != Inclusion::Found::accepted) return order;
    const Inclusion schedule = find_schedule(history, spec, lag);
    if (schedule.found == Inclusion::Found::accepted) return order;
    order.found = schedule.found;
    order.event = schedule.event;
    order.why = schedule.why;
    return order;
}

}  // namespace locklab
