// What the server can do, learnt from the model of Redis: its data are interned, and a command is
// executed once for each of them; from then on an execution is a look-up.
//
// The data hold no time. When the lock's key expires is told apart, in milliseconds from now.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/explore/client_model.h"
#include "harness/explore/number_table.h"
#include "harness/store/redis/redis_model.h"

namespace locklab {

/// Client i is renamed to where `from[j] == i`.
using Permutation = std::array<std::uint8_t, Bounds::kMostClients>;
inline constexpr Permutation kIdentity{0, 1, 2, 3};
/// One number below 256 for each.
constexpr std::uint32_t code_of(const Permutation& from) {
    std::uint32_t code = 0;
    for (const std::uint8_t client : from) code = code << 2 | client;
    return code;
}

/// The server, but for the oracle of perfect_lock.
struct ServerData {
    static constexpr std::uint16_t kNever = 0xFFFF;
    static constexpr std::uint16_t kNoShape = 0xFFFF;
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
        bool takes = false;  ///< it made or overwrote the lock's key
    };
    struct Answer {
        ServerData data;
        Reply reply;
        bool takes = false;
    };
    /// Client `client` has the server run one of its commands.
    Result execute(ServerData data, std::uint16_t command, std::uint32_t client);
    /// A command of somebody who is no part of the search. Its words, and the reply's, are real.
    Answer execute(ServerData data, const Command& command);

    /// The data with every token as if it were its client's by its new number.
    std::uint16_t renamed(std::uint16_t shape, const Permutation& from);
    /// Whether there is any client's token in the data.
    bool names_any(std::uint16_t shape) const { return named_[shape] != 0; }
    /// Whether there is nothing but the lock's key, with tokens of this client and of no other.
    bool is_of(std::uint16_t shape, std::uint32_t client) const {
        return shape != 0 && without_lock_[shape] == 0 && named_[shape] == 1U << client;
    }

    ServerData evict(ServerData data) const;
    /// Time passes, or the server's clock jumps ahead.
    ServerData later(ServerData data, std::uint16_t ms) const;

    std::size_t shapes() const { return shapes_.size(); }
    /// The lock's key, as one sees it.
    std::string text_of(ServerData data) const;

private:
    static std::uint64_t key_of(ServerData data, std::uint16_t command, std::uint32_t client) {
        return std::uint64_t{data.shape} << 48 | std::uint64_t{data.remaining_ms} << 32 |
               std::uint64_t{command} << 16 | client;
    }
    std::uint16_t number_of(const RedisModel& model);
    void compare(ServerData data, const Command& named, ServerData after, const Reply& reply);
    void set_deadline(RedisModel& model, ServerData data);

    ClientModel& clients_;
    ScriptEngine scripts_;
    std::vector<RedisModel> shapes_;
    std::map<std::string, std::uint16_t> shape_numbers_;  ///< by all that is stored
    std::vector<std::uint8_t> named_;          ///< whose tokens are there: a bit for each client
    std::vector<std::uint16_t> without_lock_;  ///< the shape that is left if the lock goes
    std::vector<Result> results_;
    NumberTable executed_;
    NumberTable renamed_;
    /// What has been run with other tokens, too.
    std::set<std::tuple<std::uint16_t, bool, const Script*, std::string>> compared_;
};

}  // namespace locklab
