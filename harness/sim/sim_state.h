// The simulator's state: one copyable value that holds everything but the clients' machines.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "harness/core/fault.h"
#include "harness/core/host.h"
#include "harness/sim/event_queue.h"
#include "harness/store/oracle/oracle_store.h"
#include "harness/store/redis/redis_store.h"

namespace locklab {

/// A command on its way to a node, and its reply on the way back.
struct Message {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    enum class Fate : std::uint8_t {
        answered,  ///< its reply ends the client's wait
        given_up,  ///< the client's wait ends without it
    };
    ClientId client;
    TaskId task;
    Phase phase = Phase::idle;
    std::uint32_t ticket = 0;
    NodeId node;
    std::uint64_t call = 0;
    Instant sent;
    Command command;
    Reply reply;
    Fate fate = Fate::answered;
    Duration reply_late{0};  ///< by how much its reply is held up
    bool in_flight = false;
    bool reset = false;    ///< its connection broke: not to be executed any more
    bool arrived = false;  ///< it has reached its node, or never will
    bool told = false;     ///< the client's wait has ended
    /// The message behind this one on the same connection, not to be executed before it.
    std::uint32_t behind = kNone;
    Instant behind_arrives;
};

/// What the simulator keeps for one client, beside its machine.
struct ClientState {
    Instant paused_until;
    Instant stalled_until;
    Duration clock_offset{0};
    /// The last request sent on each Channel.
    std::array<std::uint32_t, 2> last_request{Message::kNone, Message::kNone};
};

struct ServerState {
    explicit ServerState(ScriptEngine& scripts) : redis(scripts) {}

    RedisStore redis;
    Duration clock_offset{0};
    Instant down_until;
    /// What a restart may come back with: the data after each execution and each fault. Kept
    /// only where a restart from a snapshot is planned.
    std::vector<std::pair<Instant, RedisModel>> snapshots;
};

struct SimState {
    explicit SimState(ScriptEngine& scripts) : server(scripts) {}

    Instant now;
    EventQueue queue;
    std::vector<ClientState> clients;
    ServerState server;
    OracleStore oracle;
    FaultSchedule faults;
    std::vector<Message> messages;
    std::vector<std::uint32_t> free_messages;
    std::uint64_t calls = 0;
    std::uint64_t tokens = 0;
    std::uint64_t grants = 0;
    std::uint64_t steps = 0;
    Instant last_grant;
    std::uint64_t regular_pauses = 0;
};

}  // namespace locklab
