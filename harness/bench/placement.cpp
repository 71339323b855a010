#include "harness/bench/placement.h"

#include <sched.h>

namespace locklab {

namespace {

cpu_set_t allowed_at_start() {
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    return allowed;
}

/// What this process was allowed before anybody placed it.
const cpu_set_t kAllowed = allowed_at_start();

/// The processors that may be used, in order.
std::vector<int> processors() {
    std::vector<int> numbers;
    for (int i = 0; i < CPU_SETSIZE; ++i) {
        if (CPU_ISSET(i, &kAllowed)) numbers.push_back(i);
    }
    return numbers;
}

/// `thread`: 0 is the caller; a process is its first thread, in which redis-server runs commands.
void keep_on(pid_t thread, int processor) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(thread, sizeof one, &one);
}

}  // namespace

std::string_view name_of(Placement placement) {
    switch (placement) {
        case Placement::same: return "same";
        case Placement::two: return "two";
        case Placement::free: break;
    }
    return "free";
}

std::vector<Placement> placements() {
    if (processors().size() < 2) return {Placement::same};
    return {Placement::same, Placement::two, Placement::free};
}

Placed::Placed(Placement placement, pid_t server) : server_(server) {
    if (placement == Placement::free) return;
    const std::vector<int> numbers = processors();
    const bool apart = placement == Placement::two && numbers.size() > 1;
    keep_on(0, numbers[0]);
    keep_on(server, numbers[apart ? 1 : 0]);
}

Placed::~Placed() {
    sched_setaffinity(0, sizeof kAllowed, &kAllowed);
    sched_setaffinity(server_, sizeof kAllowed, &kAllowed);
}

}  // namespace locklab
