#include "harness/live/runs_at_once.h"

#include <sys/resource.h>

#include <algorithm>

#include "harness/core/assert.h"
#include "harness/live/open_files.h"

namespace locklab {

namespace {

/// The limit rises by this part of itself.
constexpr std::size_t kStepsToDouble = 4;

}  // namespace

RunsAtOnce::RunsAtOnce(const Bounds& bounds)
    : bounds_(bounds), limit_(bounds.first), lowest_(bounds.first), highest_(bounds.first) {
    LOCKLAB_ASSERT(0 < bounds.least && bounds.least <= bounds.first && bounds.first <= bounds.most);
}

bool RunsAtOnce::begin() {
    const std::lock_guard guard(mutex_);
    if (under_way_ >= limit_) return false;
    ++under_way_;
    return true;
}

void RunsAtOnce::ended() {
    const std::lock_guard guard(mutex_);
    LOCKLAB_ASSERT(under_way_ > 0);
    --under_way_;
    if (++in_time_ < limit_) return;
    in_time_ = 0;
    limit_ = std::min(bounds_.most, limit_ + std::max<std::size_t>(1, limit_ / kStepsToDouble));
    highest_ = std::max(highest_, limit_);
}

/// While more runs are under way than allowed, the earlier excess continues; lowering the limit
/// again would count it twice.
void RunsAtOnce::was_late() {
    const std::lock_guard guard(mutex_);
    in_time_ = 0;
    if (under_way_ > limit_) return;
    limit_ = std::max(bounds_.least, limit_ / 2);
    lowest_ = std::min(lowest_, limit_);
}

std::size_t RunsAtOnce::limit() const {
    const std::lock_guard guard(mutex_);
    return limit_;
}

std::size_t RunsAtOnce::lowest() const {
    const std::lock_guard guard(mutex_);
    return lowest_;
}

std::size_t RunsAtOnce::highest() const {
    const std::lock_guard guard(mutex_);
    return highest_;
}

std::size_t most_runs_for_files(std::size_t clients, std::size_t servers) {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const std::size_t free = limit.rlim_cur > kOtherFiles ? limit.rlim_cur - kOtherFiles : 0;
    return std::max<std::size_t>(1, free / (kFilesPerServer * servers * clients));
}

}  // namespace locklab
