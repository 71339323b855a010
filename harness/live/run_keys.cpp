#include "harness/live/run_keys.h"

#include "harness/live/run_registry.h"
#include "harness/live/sync_connection.h"

namespace locklab {

RunKeys::RunKeys() : prefix_("locklab:" + RandomHex().draw(8) + ":") {}

Key RunKeys::fresh_key() { return Key{prefix_ + std::to_string(++given_)}; }

void RunKeys::announce(const Endpoint& endpoint) const {
    SyncConnection connection(endpoint);
    enter_run(connection, prefix_);
}

std::string RunKeys::clear(const Endpoint& endpoint) const {
    SyncConnection connection(endpoint);
    const std::string why = delete_keys(connection, prefix_);
    if (why.empty()) {
        leave_run(connection, prefix_);
        return {};
    }
    return "The keys " + prefix_ + "* at " + to_string(endpoint) + " could not be deleted: " + why +
           ".";
}

}  // namespace locklab
