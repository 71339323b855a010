// Every state that a server can be in, as a number: what a command does to it is learnt once from
// the Redis model, then looked up.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/explore/interned.h"
#include "harness/explore/number_table.h"
#include "harness/explore/server_model.h"

namespace locklab {

/// One server: its data, a snapshot that it may come back with, and how long it is still down, or
/// hangs.
struct ServerState {
    ServerData data;
    ServerData saved{ServerData::kNoShape, ServerData::kNever};  ///< kNoShape: no snapshot
    std::uint16_t down = 0;  ///< ms until it is back; 0: it is up
    std::uint16_t hung = 0;  ///< ms until it goes on; 0: it does not hang
    /// The clients whose requests wait since it hung, each plus 1, in four bits; the first is
    /// lowest.
    std::uint64_t queue = 0;

    static constexpr int kQueueBits = 4;
    static constexpr int kMostInQueue = 16;

    /// A replica that has all that its master has, and that no client asks yet.
    static constexpr ServerData kFollows{ServerData::kNoShape, ServerData::kNever};
    bool follows() const { return data == kFollows; }
    bool has_saved() const { return saved.shape != ServerData::kNoShape; }
    void forget_saved() { saved = {ServerData::kNoShape, ServerData::kNever}; }
    void save() { saved = data.keys_only(); }
    /// It goes on, and runs what waited before anything else.
    bool serves_queue() const { return hung == 0 && queue != 0; }
    /// Throws std::length_error if too many requests wait.
    void join_queue(std::uint32_t client);
    void leave_queue() { queue >>= kQueueBits; }
    std::uint32_t first_in_queue() const { return static_cast<std::uint32_t>(queue & 15U) - 1; }
    bool operator==(const ServerState&) const = default;
};

class ServerTable {
public:
    ServerTable(ServerModel& model, std::uint32_t most) : model_(model), most_(most) {}

    const ServerState& at(std::uint32_t number) const { return servers_[number]; }
    std::uint32_t number_of(const ServerState& server);
    /// Nothing if the state was never met. Functions named `known` are safe from several threads
    /// while none learns.
    std::optional<std::uint32_t> known_number_of(const ServerState& server) const {
        return servers_.find(server);
    }

    struct Result {
        std::uint32_t server = 0;
        std::uint16_t reply = 0;
        bool takes = false;  ///< the command created or overwrote the lock's key
    };
    /// The server runs a command of client `client` that came over this connection (namespace
    /// connection).
    Result execute(std::uint32_t server, std::uint16_t command, std::uint32_t client,
                   std::uint32_t connection);
    std::optional<Result> known(std::uint32_t server, std::uint16_t command, std::uint32_t client,
                                std::uint32_t connection) const {
        const std::optional<std::uint32_t> place =
            executed_.find(key_of(server, command, client, connection));
        if (!place) return std::nullopt;
        return results_[*place];
    }
    /// The client leaves a connection; see ServerModel.
    std::uint32_t leave(std::uint32_t server, std::uint32_t client, std::uint32_t connection,
                        std::uint32_t as);
    std::optional<std::uint32_t> known_left(std::uint32_t server, std::uint32_t client,
                                            std::uint32_t connection, std::uint32_t as) const {
        if (servers_[server].data.open == 0) return server;
        return left_.find(leave_key(server, client, connection, as));
    }
    /// Whether the server's data or snapshot contain a client's token.
    bool names_any(std::uint32_t server) const {
        const ServerState& state = servers_[server];
        if (state.queue != 0) return true;
        return (!state.follows() && model_.names_any(state.data)) ||
               (state.has_saved() && model_.names_any(state.saved));
    }
    /// The server after a renaming of clients.
    std::uint32_t renamed(std::uint32_t server, const Permutation& from);
    std::optional<std::uint32_t> known_renamed(std::uint32_t server, const Permutation& from) const;

    std::size_t size() const { return servers_.size(); }

private:
    struct Hash {
        std::size_t operator()(const ServerState& server) const;
    };

    static std::uint64_t key_of(std::uint32_t server, std::uint16_t command, std::uint32_t client,
                                std::uint32_t connection) {
        return std::uint64_t{server} << 32 | std::uint64_t{command} << 8 | client << 4 | connection;
    }
    static std::uint64_t leave_key(std::uint32_t server, std::uint32_t client,
                                   std::uint32_t connection, std::uint32_t as) {
        return std::uint64_t{server} << 32 | client << 8 | connection << 4 | as;
    }

    ServerModel& model_;
    const std::uint32_t most_;
    Interned<ServerState, Hash> servers_;
    std::vector<Result> results_;
    NumberTable executed_;
    NumberTable renamed_;
    NumberTable left_;
};

}  // namespace locklab
