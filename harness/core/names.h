// Small strong types for what could be swapped by accident.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>

namespace locklab {

/// A client of the run: 0, 1, 2, ...
struct ClientId {
    std::uint32_t value = 0;
    auto operator<=>(const ClientId&) const = default;
};

/// How many tasks of one process can share a lock object.
inline constexpr std::uint32_t kMostTasks = 8;

/// The first task of the process that `client` is in, if every process has `tasks` tasks. Tasks of
/// a process share a lock object, and each counts as a client.
constexpr ClientId first_task(ClientId client, std::uint32_t tasks) {
    return ClientId{client.value - client.value % tasks};
}
/// Whether two clients are tasks of one process, and so share a lock object.
constexpr bool share_object(ClientId one, ClientId other, std::uint32_t tasks) {
    return one != other && first_task(one, tasks) == first_task(other, tasks);
}

/// A node that answers commands: a Redis server (0, 1, ...), or the harness' own oracle.
struct NodeId {
    std::uint32_t value = 0;
    auto operator<=>(const NodeId&) const = default;
};

/// One of the locks that a client takes one inside the other: 0, 1, ... Lock n is at server n, as
/// the keys of a Redis cluster are at different servers.
struct ResourceId {
    static constexpr std::uint32_t kMost = 3;
    std::uint32_t value = 0;
    auto operator<=>(const ResourceId&) const = default;
};

/// The harness' own node: register, oracle mutex. Faults never strike it.
inline constexpr NodeId kOracle{0xFFFF};

/// One of a client's tasks. 0 is the worker; every other is a background task (a watchdog).
struct TaskId {
    std::uint32_t value = 0;
    auto operator<=>(const TaskId&) const = default;
    bool is_worker() const { return value == 0; }
};

/// The name of a Redis key. Key and Token have constructors because g++ 12 destroys an aggregate
/// temporary in a co_await twice (see Client::command).
struct Key {
    Key() = default;
    explicit Key(std::string its_name) : name(std::move(its_name)) {}

    std::string name;
};

/// The value by which a lock recognises its own key.
struct Token {
    Token() = default;
    explicit Token(std::string its_text) : text(std::move(its_text)) {}
    bool operator==(const Token&) const = default;

    std::string text;
};

}  // namespace locklab
