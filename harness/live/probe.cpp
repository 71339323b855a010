#include "harness/live/probe.h"

#include <stdexcept>

#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

constexpr Duration kTimeout = std::chrono::seconds(2);

[[noreturn]] void give_up(const Endpoint& endpoint, const std::string& what) {
    throw std::runtime_error(to_string(endpoint) + " " + what);
}

[[noreturn]] void give_up(const Endpoint& endpoint, const SyncConnection& connection) {
    switch (connection.trouble()) {
        case SyncConnection::Trouble::silent:
            give_up(endpoint, "accepts connections but stays silent, so it is not Redis.");
        case SyncConnection::Trouble::unreachable:
            give_up(endpoint, "cannot be reached (" + connection.reason() +
                                  "): is a Redis server running there?");
        default: give_up(endpoint, "answers, but is not Redis (" + connection.reason() + ").");
    }
}

/// The value of a line "name:value" of INFO; empty if there is none.
std::string info_field(const std::string& info, const std::string& name) {
    const std::size_t begin = info.find(name + ":");
    if (begin == std::string::npos) return {};
    const std::size_t value = begin + name.size() + 1;
    return info.substr(value, info.find_first_of("\r\n", value) - value);
}

}  // namespace

std::string probe(const Endpoint& endpoint) {
    SyncConnection connection(endpoint, kTimeout);
    const Reply pong = connection.command(Command::of("PING"));
    if (pong.is_unknown()) give_up(endpoint, connection);
    if (pong.is_error() && pong.text().starts_with("NOAUTH")) {
        give_up(endpoint, "is a Redis that wants a password (AUTH): use one that does not.");
    }
    if (pong.is_error()) give_up(endpoint, "is not ready to serve: " + pong.text() + ".");
    if (pong.text() != "PONG") give_up(endpoint, "answers, but is not Redis (PING: no PONG).");

    const Reply info = connection.command(Command::of("INFO", "server"));
    if (info.is_unknown()) give_up(endpoint, connection);
    const std::string version = info_field(info.text(), "redis_version");
    if (version.empty()) give_up(endpoint, "answers, but is not Redis (INFO: no version).");
    return version;
}

}  // namespace locklab
