// What servers of a play in virtual time still owe to clients that wait.

#include <algorithm>

#include "harness/foreign/virtual_world.h"

namespace locklab {

bool VirtualWorld::owes_nothing(NodeId node) {
    if (!is_up(node)) return true;
    const std::string clients = tell_server(node, Command::of("INFO", "clients")).text();
    const std::string keys = tell_server(node, Command::of("INFO", "keyspace")).text();
    const std::size_t expire = keys.find(",expires=");
    return clients.find("blocked_clients:0") != std::string::npos &&
           (expire == std::string::npos || keys.find(",expires=0", expire) == expire);
}

bool VirtualWorld::servers_owe_nothing() {
    return std::ranges::all_of(all_nodes(), [this](NodeId node) { return owes_nothing(node); });
}

}  // namespace locklab
