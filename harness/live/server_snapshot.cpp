#include "harness/live/server_snapshot.h"

#include <stdexcept>

#include "harness/core/printable.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

Reply told(SyncConnection& server, const Command& command) {
    Reply reply = server.command(command);
    if (!reply.is_error() && !reply.is_unknown()) return reply;
    throw std::runtime_error("redis-server cannot be given an old snapshot: " +
                             (reply.is_error() ? printable(reply.text()) : "it does not answer"));
}

std::int64_t clock_ms(SyncConnection& server) {
    const Reply time = told(server, Command::of("TIME"));
    return std::stoll(time.elements()[0].text()) * 1000 +
           std::stoll(time.elements()[1].text()) / 1000;
}

}  // namespace

ServerSnapshot::ServerSnapshot(const Endpoint& endpoint) {
    SyncConnection server(endpoint);
    const Reply keys = told(server, Command::of("KEYS", "*"));
    for (const Reply& key : keys.elements()) {
        const Reply value = told(server, Command::of("DUMP", key.text()));
        const std::int64_t now_ms = clock_ms(server);
        const std::int64_t left_ms = told(server, Command::of("PTTL", key.text())).as_integer();
        // The key may have expired since KEYS named it.
        if (!value.is_bulk() || left_ms == -2) continue;
        entries_.push_back({key.text(), value.text(), left_ms < 0 ? 0 : now_ms + left_ms});
    }
}

void ServerSnapshot::put_back(const Endpoint& endpoint) const {
    SyncConnection server(endpoint);
    for (const Entry& entry : entries_) {
        told(server, Command::of("RESTORE", entry.key, entry.deadline_ms, entry.value, "ABSTTL"));
    }
}

}  // namespace locklab
