#include "harness/stage/sim_world.h"

#include <algorithm>

#include "harness/stage/stage_clock.h"

namespace locklab {

Reply SimWorld::execute(const ClientId* client, const Command& command) {
    Reply reply =
        redis_.execute(command, kStageEpoch + now_.time_since_epoch() + offset_, scripts_);
    if (client != nullptr) past_.emplace_back(now_, redis_);
    return reply;
}

void SimWorld::restart() { redis_ = RedisModel(); }

void SimWorld::restore(Duration age) {
    const auto after =
        std::upper_bound(past_.begin(), past_.end(), now_ - age,
                         [](Instant at, const auto& moment) { return at < moment.first; });
    redis_ = after == past_.begin() ? RedisModel() : std::prev(after)->second;
}

}  // namespace locklab
