#include "harness/live/processors.h"

#include <sys/resource.h>

namespace locklab {

namespace {

cpu_set_t allowed_at_start() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    return allowed;
}

/// Read before any thread is pinned.
const cpu_set_t kAllowed = allowed_at_start();

std::vector<int> numbers_in(const cpu_set_t& set) {
    std::vector<int> numbers;
    for (int i = 0; i < CPU_SETSIZE; ++i) {
        if (CPU_ISSET(i, &set)) numbers.push_back(i);
    }
    if (numbers.empty()) numbers.push_back(0);
    return numbers;
}

}  // namespace

const std::vector<int>& processors() {
    static const std::vector<int> numbers = numbers_in(kAllowed);
    return numbers;
}

void give_way(int nice) { setpriority(PRIO_PROCESS, 0, nice); }

int current_processor() {
    const int current = sched_getcpu();
    return current < 0 ? processors().front() : current;
}

KeptOn::KeptOn(int processor, pid_t thread) : thread_(thread), before_(kAllowed) {
    sched_getaffinity(thread_, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(thread_, sizeof one, &one);
}

KeptOn::~KeptOn() { sched_setaffinity(thread_, sizeof before_, &before_); }

void go_before_others(pid_t process) {
    const sched_param lowest{.sched_priority = sched_get_priority_min(SCHED_RR)};
    sched_setscheduler(process, SCHED_RR, &lowest);
}

BeforeOthers::BeforeOthers() : policy_before_(sched_getscheduler(0)) {
    sched_getparam(0, &param_before_);
    if (policy_before_ == SCHED_OTHER) go_before_others(0);
}

BeforeOthers::~BeforeOthers() { sched_setscheduler(0, policy_before_, &param_before_); }

}  // namespace locklab
