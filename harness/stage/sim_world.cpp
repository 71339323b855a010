#include "harness/stage/sim_world.h"

#include <algorithm>

namespace locklab {

WallTime SimWorld::time() const { return kEpoch + now_.time_since_epoch() + offset_; }

CommandResult SimWorld::run(ClientId client, const Command& command, const Key& key) {
    outbox_.clear();
    redis_.watch(key.name);
    redis_.on(Request{{client, Channel::worker, NodeId{}}, &command}, time(), outbox_);
    keep();
    return {outbox_.take_reply(), *outbox_.delta()};
}

Reply SimWorld::execute(const ClientId* client, const Command& command) {
    Reply reply = redis_.data().execute(command, time(), scripts_);
    // The harness looks at the key all the time, and only its DEL changes anything.
    if (client != nullptr || command[0] == "DEL") keep();
    return reply;
}

void SimWorld::restart() {
    redis_.data() = RedisModel();
    keep();
}

void SimWorld::restore(Duration age) {
    const auto after =
        std::upper_bound(past_.begin(), past_.end(), now_ - age,
                         [](Instant at, const auto& moment) { return at < moment.first; });
    redis_.data() = after == past_.begin() ? RedisModel() : std::prev(after)->second;
    keep();
}

void SimWorld::restore_saved() {
    redis_.data() = saved_;
    keep();
}

}  // namespace locklab
