#include "harness/live/probe.h"

#include <stdexcept>

#include "harness/core/printable.h"
#include "harness/live/random_hex.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

constexpr int kProbeTtlMs = 1000;
constexpr Script kDelete{"delete", "return redis.call('del', KEYS[1])"};

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

std::string ended(const std::string& words) { return words.ends_with('.') ? words : words + "."; }

/// Locks write, also by scripts. If the server refuses that, the error must come here, not in a
/// lock that would have to interpret it.
void check_write(const Endpoint& endpoint, SyncConnection& connection) {
    const Key key{"locklab:probe:" + RandomHex().draw(8)};
    Reply answer = connection.command(Command::of("SET", key, "1", "NX", "PX", kProbeTtlMs));
    if (!answer.failed()) answer = connection.command(Command::eval(kDelete, key));
    if (answer.is_unknown()) give_up(endpoint, connection);
    if (!answer.is_error()) return;
    connection.command(Command::of("DEL", key));
    const std::string& error = answer.text();
    if (error.starts_with("READONLY")) {
        give_up(endpoint, "is a replica, which refuses writes (" + error + "): name its master.");
    }
    if (error.starts_with("MOVED") || error.starts_with("CLUSTERDOWN")) {
        give_up(endpoint, "is a node of a cluster (" + error + "): name a Redis that is none.");
    }
    give_up(endpoint, "refuses what locks do (" + error + "): name a Redis that takes it.");
}

}  // namespace

std::string probe(const Endpoint& endpoint) {
    SyncConnection connection(endpoint);
    const Reply pong = connection.command(Command::of("PING"));
    if (pong.is_unknown()) give_up(endpoint, connection);
    if (pong.is_error() && pong.text().starts_with("NOAUTH")) {
        give_up(endpoint, "is a Redis that wants a password (AUTH): use one that does not.");
    }
    if (pong.is_error()) give_up(endpoint, "is not ready to serve: " + ended(pong.text()));
    if (pong.text() != "PONG") give_up(endpoint, "answers, but is not Redis (PING: no PONG).");

    const Reply info = connection.command(Command::of("INFO", "server"));
    if (info.is_unknown()) give_up(endpoint, connection);
    const std::string version = info_field(info.text(), "redis_version");
    if (info.is_error()) give_up(endpoint, "does not tell its version: " + ended(info.text()));
    if (version.empty()) give_up(endpoint, "answers, but is not Redis (INFO: no version).");
    check_write(endpoint, connection);
    const std::string valkey = info_field(info.text(), "valkey_version");
    return printable(valkey.empty() ? version : version + " (Valkey " + valkey + ")");
}

void require_commands(const Algorithm& algorithm, const Endpoint& endpoint) {
    if (algorithm.server == ServerKind::redis) return;
    SyncConnection connection(endpoint);
    const Reply about = connection.command(Command::of("COMMAND", "INFO", "DELIFEQ"));
    const bool has = !about.elements().empty() && !about.elements().front().is_nil();
    if (has || about.is_unknown()) return;
    throw std::invalid_argument(std::string(algorithm.name) + " needs " +
                                std::string(title_of(algorithm.server)) +
                                " 9, and this server has no DELIFEQ: right would be --server " +
                                std::string(name_of(algorithm.server)) + ".");
}

}  // namespace locklab
