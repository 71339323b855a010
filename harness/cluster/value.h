// The state of a cluster: one copyable value that holds everything except the clients' machines.
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
    NodeId server;  ///< the number by which the lock addresses the route's node
    TaskId task;
    Phase phase = Phase::idle;
    std::uint32_t ticket = 0;
    std::uint64_t call = 0;
    std::uint32_t rounds_ago = 0;  ///< how many rounds ago its task was begun
    Instant sent;
    Command command;
    Reply reply;
    Instant arrives;               ///< the earliest time of arrival; the agenda sets it
    Duration reply_late{0};        ///< how much its reply is delayed
    std::uint32_t behind = kNone;  ///< the message behind this one on the same connection
    bool in_flight = false;        ///< it has left its client
    bool in_line = false;          ///< another one on its connection must arrive first
    bool unanswered = false;       ///< the client's wait ends without its reply
    bool resend = false;           ///< after that wait, the client library sends the command again
    bool resent = false;           ///< it was sent by such a resend
    bool reset = false;            ///< its connection broke: it will not be executed
    bool arrived = false;          ///< it has reached its node, or never will
    bool told = false;             ///< the client's wait has ended
    std::optional<ErrorKind> error{};  ///< its server answers with this, and does not run it
    bool cut = false;                  ///< its connection is reset, which its client sees at once
    bool runs_before_cut = false;      ///< with `cut`
};

/// What is kept for one client, besides its machine.
struct ClientValue {
    Instant paused_until;
    Instant stalled_until;  ///< for its background tasks
    Duration clock_offset{0};
    std::uint64_t tokens = 0;
    NodeId master;  ///< the master that it uses, if there are replicas
};

struct Node {
    std::variant<RedisStore, OracleStore, RemoteStore*> store;
    Duration clock_offset{0};
    Instant down_until{};
    Instant hangs_until{};  ///< messages that arrive earlier wait until then
    /// Data that a restart may bring back: after each execution and each fault. Kept only if a
    /// restart from a snapshot is planned.
    std::vector<std::pair<Instant, RedisModel>> snapshots{};
    std::optional<RedisModel> saved{};  ///< data saved by Cluster::save()

    bool is_oracle() const { return std::holds_alternative<OracleStore>(store); }
    bool is_modelled() const { return std::holds_alternative<RedisStore>(store); }
    /// Only for a modelled Redis server.
    RedisModel& data() { return std::get<RedisStore>(store).data(); }
};

struct ClusterValue {
    Instant now;
    std::vector<ClientValue> clients;
    std::vector<Node> nodes;
    NodeId master;  ///< the current master, if there are replicas
    std::vector<Message> messages;
    std::vector<std::uint32_t> free_messages;
    /// The last message sent on each connection: client by client, node by node.
    std::vector<std::array<std::uint32_t, kChannels>> last_sent;
    /// How many connections each client had there before its present one, in the same order.
    std::vector<std::array<std::uint32_t, kChannels>> connections;
    /// Until when nothing gets through between each process and node, in the same order.
    std::vector<Instant> cut_until;
    std::uint64_t calls = 0;
    std::uint64_t grants = 0;
    Instant last_grant;
    std::uint32_t unfinished = 0;  ///< number of clients that are not finished
};

}  // namespace locklab
