// A redis-server that follows another, and takes over.

#include <charconv>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "harness/core/printable.h"
#include "harness/live/redis_process.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

/// Far longer than copying an empty server takes.
constexpr auto kSyncLimit = std::chrono::seconds(20);

/// The field of INFO replication with this name; empty if there is none.
std::string replication_of(SyncConnection& server, const std::string& name) {
    const std::string text = "\n" + server.command(Command::of("INFO", "replication")).text();
    const std::size_t begin = text.find("\n" + name + ":");
    if (begin == std::string::npos) return {};
    const std::size_t value = begin + name.size() + 2;
    return text.substr(value, text.find_first_of("\r\n", value) - value);
}

/// Done is "OK", also with more words: "OK Already connected to specified master".
void must_do(SyncConnection& server, const Command& command, const std::string& what) {
    const Reply reply = server.command(command);
    if (reply.text().starts_with("OK") && !reply.is_error()) return;
    throw std::runtime_error("redis-server cannot " + what + ": " +
                             (reply.is_unknown() ? "it does not answer (" + server.reason() + ")"
                                                 : printable(reply.text())));
}

/// Polls until the condition holds. False: it did not in time.
template <class IsSo>
bool await(IsSo is_so) {
    const auto limit = std::chrono::steady_clock::now() + kSyncLimit;
    while (!is_so()) {
        if (std::chrono::steady_clock::now() > limit) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

std::runtime_error too_late(const std::string& what, const std::string& its_words,
                            const std::string& masters_words) {
    return std::runtime_error("a redis-server did not come to " + what + " in time. Its log: " +
                              its_words + " Its master's log: " + masters_words);
}

}  // namespace

/// Replication uses a port, never a unix socket.
void RedisProcess::open_port() {
    SyncConnection connection(endpoint_);
    for (int attempt = 0; port_ == 0; ++attempt) {
        const std::uint16_t port = free_port();
        const Command listen = Command::of("CONFIG", "SET", "port", port);
        // Another process may have taken the port first.
        if (attempt == 10) {
            must_do(connection, listen, "listen on a port");
            port_ = port;
        } else if (connection.command(listen).text() == "OK") {
            port_ = port;
        }
    }
}

void RedisProcess::follow(RedisProcess& master) {
    master.open_port();
    follow(master, master.port_endpoint());
}

void RedisProcess::follow(RedisProcess& master, const Endpoint& way) {
    SyncConnection connection(endpoint_);
    const auto is_up = [&] {
        return replication_of(connection, "master_port") == std::to_string(way.port) &&
               replication_of(connection, "master_link_status") == "up";
    };
    if (is_up()) return;
    // A copy over a file begins at once. A diskless one would begin five seconds later, in case
    // other replicas want it too; and later writes would wait up to a second for the replica's next
    // report of its position.
    SyncConnection its_master(master.endpoint_);
    must_do(its_master, Command::of("CONFIG", "SET", "repl-diskless-sync", "no"), "be followed");
    must_do(connection, Command::of("REPLICAOF", way.host, way.port), "follow another");
    if (!await(is_up)) throw too_late("follow its master", last_words(), master.last_words());
}

void RedisProcess::await_all_of(const RedisProcess& master) const {
    SyncConnection here(endpoint_);
    SyncConnection there(master.endpoint_);
    const std::string all = replication_of(there, "master_repl_offset");
    const auto number = [](const std::string& text) {
        std::uint64_t value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    };
    // If its master was away for a moment, it starts over with the master's present data.
    const auto is_there = [&] {
        return replication_of(here, "master_link_status") == "up" &&
               number(replication_of(here, "slave_repl_offset")) >= number(all);
    };
    if (!await(is_there)) {
        throw too_late("have what its master has", last_words(), master.last_words());
    }
}

void RedisProcess::set(const std::string& parameter, const std::string& value) {
    SyncConnection connection(endpoint_);
    must_do(connection, Command::of("CONFIG", "SET", parameter, value), "set " + parameter);
}

void RedisProcess::take_over() {
    SyncConnection connection(endpoint_);
    must_do(connection, Command::of("REPLICAOF", "NO", "ONE"), "take over");
}

}  // namespace locklab
