// The state of a cluster: one copyable value that holds everything but the clients' machines.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "harness/core/history.h"
#include "harness/store/oracle/oracle_store.h"
#include "harness/store/redis/redis_store.h"

namespace locklab {

/// A command on its way to a node, and its reply on the way back.
struct Message {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    Route route;
    NodeId server;  ///< what its lock calls the node of the route
    TaskId task;
    Phase phase = Phase::idle;
    std::uint32_t ticket = 0;
    std::uint64_t call = 0;
    std::uint32_t rounds_ago = 0;  ///< its task was begun
    Instant sent;
    Command command;
    Reply reply;
    Instant arrives;               ///< not before; for the agenda to say
    Duration reply_late{0};        ///< by how much its reply is held up
    std::uint32_t behind = kNone;  ///< the message behind this one on the same connection
    bool in_flight = false;        ///< it has left its client
    bool in_line = false;          ///< another one on its connection is to arrive first
    bool unanswered = false;       ///< the client's wait ends without its reply
    bool resend = false;           ///< once that wait is over, the client library sends it again
    bool resent = false;           ///< it is such a one
    bool reset = false;            ///< its connection broke: not to be executed any more
    bool arrived = false;          ///< it has reached its node, or never will
    bool told = false;             ///< the client's wait has ended
};

/// What is kept for one client, beside its machine.
struct ClientValue {
    Instant paused_until;
    Instant stalled_until;  ///< its background tasks
    Duration clock_offset{0};
    std::uint64_t tokens = 0;
    NodeId master;  ///< to whom it sends, where there is one master and replicas
};

struct Node {
    std::variant<RedisStore, OracleStore, RemoteStore*> store;
    Duration clock_offset{0};
    Instant down_until{};
    /// What a restart may come back with: the data after each execution and each fault. Kept
    /// only where a restart from a snapshot is to come.
    std::vector<std::pair<Instant, RedisModel>> snapshots{};
    std::optional<RedisModel> saved{};  ///< what it took down, if it was told to

    bool is_oracle() const { return std::holds_alternative<OracleStore>(store); }
    /// Of a Redis server that is modelled.
    RedisModel& data() { return std::get<RedisStore>(store).data(); }
};

struct ClusterValue {
    Instant now;
    std::vector<ClientValue> clients;
    std::vector<Node> nodes;
    NodeId master;  ///< where there is one, and replicas
    std::vector<Message> messages;
    std::vector<std::uint32_t> free_messages;
    /// The last message sent on each connection: client by client, node by node.
    std::vector<std::array<std::uint32_t, kChannels>> last_sent;
    std::uint64_t calls = 0;
    std::uint64_t grants = 0;
    Instant last_grant;
    std::uint32_t unfinished = 0;  ///< clients
};

}  // namespace locklab
