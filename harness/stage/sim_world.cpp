#include "harness/stage/sim_world.h"

#include <algorithm>

namespace locklab {

WallTime SimWorld::time_of(const Server& server) const {
    return kEpoch + now_.time_since_epoch() + server.offset;
}

CommandResult SimWorld::run(const Route& route, const Command& command, const Key& key) {
    Server& server = at(route.node);
    outbox_.clear();
    server.redis.watch(key.name);
    server.redis.on(Request{route, &command}, time_of(server), outbox_);
    keep(server);
    return {outbox_.take_reply(), *outbox_.delta(), outbox_.take_others()};
}

Reply SimWorld::execute(NodeId id, const ClientId* client, const Command& command) {
    Server& server = at(id);
    Reply reply = server.redis.data().execute(command, time_of(server), scripts_);
    // The harness looks at the key all the time, and only its DEL changes anything.
    if (client != nullptr || command[0] == "DEL") keep(server);
    return reply;
}

void SimWorld::close(const Route& route) {
    Server& server = at(route.node);
    server.redis.on(Closed{route}, time_of(server), outbox_);
}

void SimWorld::restart(NodeId id) {
    at(id).redis.data() = RedisModel();
    keep(at(id));
}

void SimWorld::restore(NodeId id, Duration age) {
    Server& server = at(id);
    const auto after =
        std::upper_bound(server.past.begin(), server.past.end(), now_ - age,
                         [](Instant when, const auto& moment) { return when < moment.first; });
    server.redis.data() = after == server.past.begin() ? RedisModel() : std::prev(after)->second;
    keep(server);
}

void SimWorld::take_over(NodeId replica, NodeId master) {
    at(replica).redis.data() = at(master).redis.data().keys_only();
    keep(at(replica));
}

void SimWorld::restore_saved(NodeId id) {
    at(id).redis.data() = at(id).saved;
    keep(at(id));
}

}  // namespace locklab
