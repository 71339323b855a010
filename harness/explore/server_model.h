// What the server can do, learnt from the model of Redis: its data are interned, and a command is
// executed once for each of them; from then on an execution is a look-up.
//
// The data hold no time. When the lock's key expires is told apart, in milliseconds from now.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "harness/explore/client_model.h"
#include "harness/sim/redis_model.h"

namespace locklab {

/// The server, but for the oracle of perfect_lock.
struct ServerData {
    static constexpr std::uint16_t kNever = 0xFFFF;
    std::uint16_t shape = 0;              ///< 0: no key at all
    std::uint16_t remaining_ms = kNever;  ///< of the lock's key; 0: it ends in this millisecond
    bool operator==(const ServerData&) const = default;
};

class ServerModel {
public:
    explicit ServerModel(ClientModel& clients);

    struct Result {
        ServerData data;
        std::uint16_t reply = 0;
    };
    /// Client `client` has the server run one of its commands.
    Result execute(ServerData data, std::uint16_t command, std::uint32_t client);
    ServerData evict(ServerData data) const;

    std::size_t shapes() const { return shapes_.size(); }
    /// The lock's key, as one sees it.
    std::string text_of(ServerData data) const;

private:
    std::uint16_t number_of(const RedisModel& model);

    ClientModel& clients_;
    ScriptEngine scripts_;
    std::vector<RedisModel> shapes_;
    std::map<std::tuple<std::uint16_t, std::uint16_t, std::uint16_t, std::uint32_t>, Result> known_;
};

}  // namespace locklab
