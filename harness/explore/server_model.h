// What the server can do, learnt from the model of Redis: its data are interned, and a command is
// executed once for each of them; from then on an execution is a look-up.
//
// The data hold no time. When keys expire is told apart, in milliseconds from now: the lock's own
// key as a number, others as the number of a list. The script cache is told apart, too: a bit for
// each script that some command has looked for in it. Nothing but such a command can tell whether
// a script is there, so the others need not be known.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/explore/client_model.h"
#include "harness/explore/interned.h"
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
    std::uint16_t others = 0;  ///< which of the other keys expire, and when; 0: none does
    std::uint16_t scripts =
        0;  ///< that it has cached, of those that are looked for: a bit for each

    bool has_keys() const { return shape != 0; }
    bool has_ttl() const { return remaining_ms != kNever || others != 0; }
    /// What a snapshot has of it, and a replica that takes over: see RedisModel.
    ServerData without_scripts() const { return {shape, remaining_ms, others, 0}; }
    std::uint64_t bits() const {
        return std::uint64_t{shape} << 48 | std::uint64_t{remaining_ms} << 32 |
               std::uint64_t{others} << 16 | scripts;
    }
    bool operator==(const ServerData&) const = default;
};

/// By their digests; none twice.
using ScriptNames = std::vector<Sha1>;

class ServerModel {
public:
    static constexpr std::size_t kMostScripts = 16;

    /// `scripts`: whether the server has cached these is part of its data. `keys`: those that can
    /// be evicted, the lock's own first (Bounds::keys).
    ServerModel(ClientModel& clients, ScriptNames scripts, std::vector<std::string> keys);

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
    ServerData renamed(ServerData data, const Permutation& from);
    /// Whether there is any client's token in the data.
    bool names_any(std::uint16_t shape) const { return named_[shape] != 0; }
    /// Whether there is nothing but the lock's key, with tokens of this client and of no other.
    bool is_of(std::uint16_t shape, std::uint32_t client) const {
        return shape != 0 && without_lock_[shape] == 0 && named_[shape] == 1U << client;
    }

    /// Of the lock's own key.
    ServerData evict(ServerData data) const;
    /// Of any key of the list, by its place there.
    ServerData evicted(ServerData data, std::uint16_t key);
    /// Nothing if it is not known. Safe from several threads while nobody learns.
    std::optional<ServerData> known_evicted(ServerData data, std::uint16_t key) const;
    /// Which keys of the list are there: a bit for each.
    std::uint64_t keys_in(std::uint16_t shape) const { return keys_in_[shape]; }
    /// A key that is there and not in the list, with its tokens left out; empty: there is none.
    const std::string& unlisted_in(std::uint16_t shape) const { return unlisted_in_[shape]; }
    /// Time passes, or the server's clock jumps; back where `ms` is below zero.
    ServerData shifted(ServerData data, std::int32_t ms);
    /// Nothing if it is not known. Safe from several threads while nobody learns.
    std::optional<ServerData> known_shifted(ServerData data, std::int32_t ms) const;
    /// After how many milliseconds the first of the other keys expires; kNever: none does.
    std::uint16_t first_of_others(ServerData data) const { return lefts_[data.others].first; }

    /// Those that it was made with, and whatever else was looked for since.
    const ScriptNames& scripts() const { return script_names_; }
    /// What was answered to each kind of command of the search's clients.
    const std::set<AnsweredCommand>& answered() const { return answered_; }

    std::size_t shapes() const { return shapes_.size(); }
    /// The lock's key, as one sees it.
    std::string text_of(ServerData data) const;

private:
    /// Keys beside the lock's, by name, with the milliseconds that they have left.
    struct Left {
        std::vector<std::pair<std::string, std::uint16_t>> keys;
        std::uint16_t first = ServerData::kNever;  ///< the least of them
    };
    struct Hash {
        std::size_t operator()(const ServerData& data) const {
            const std::uint64_t hash = (data.bits() ^ 0x9E3779B97F4A7C15U) * 0xD6E8FEB86659FD93U;
            return hash ^ hash >> 32;
        }
    };

    static constexpr const char* kKey = "lock";

    /// Of a time to live: the longest have no room in the states of a search.
    static std::uint16_t room_for(std::int64_t ms);
    void expire_at(RedisModel& model, const std::string& key, std::int64_t ms);
    std::uint16_t number_of(const RedisModel& model);
    std::uint16_t number_of(Left left);
    void note_keys(const RedisModel& model);
    void compare(ServerData data, const Command& named, ServerData after, const Reply& reply);
    /// The server as a whole, and the other way about.
    RedisModel model_of(ServerData data);
    ServerData data_of(RedisModel& model);
    void add_scripts(RedisModel& model, ServerData data) const;
    std::uint16_t scripts_of(const RedisModel& model);
    void learn_what_was_asked(const Command& sent);
    /// Of the lock's own key.
    ServerData shift_lock(ServerData data, std::int32_t ms) const;
    static std::uint64_t shift_key(ServerData data, std::int32_t ms) {
        constexpr std::int32_t kBack = 1 << 16;
        return std::uint64_t{data.shape} << 34 | std::uint64_t{data.others} << 18 |
               static_cast<std::uint64_t>(ms + kBack);
    }

    static std::uint64_t evict_key(ServerData data, std::uint16_t key) {
        return std::uint64_t{data.shape} << 32 | std::uint64_t{data.others} << 16 | key;
    }

    ClientModel& clients_;
    ScriptEngine scripts_;
    std::vector<RedisModel> shapes_;
    std::map<std::string, std::uint16_t> shape_numbers_;  ///< by all that is stored
    std::vector<std::uint8_t> named_;          ///< whose tokens are there: a bit for each client
    std::vector<std::uint16_t> without_lock_;  ///< the shape that is left if the lock goes
    std::vector<std::uint64_t> keys_in_;
    std::vector<std::string> unlisted_in_;
    std::vector<Left> lefts_;  ///< the first is empty
    std::map<std::vector<std::pair<std::string, std::uint16_t>>, std::uint16_t> left_numbers_;
    const std::vector<std::string> keys_;  ///< that can be evicted
    const std::size_t known_scripts_;      ///< of the names, those that the data tell of
    ScriptNames script_names_;
    std::vector<std::shared_ptr<const std::string>> script_texts_;  ///< null: not yet seen
    Interned<ServerData, Hash> data_numbers_;
    std::vector<Result> results_;
    NumberTable executed_;
    NumberTable renamed_;
    NumberTable renamed_lefts_;
    NumberTable shifted_;  ///< where other keys expire: shape and list, in one number
    NumberTable evicted_;  ///< where another key went: the same
    std::set<AnsweredCommand> answered_;
    /// What has been run with other tokens, too.
    using Compared =
        std::tuple<std::uint16_t, bool, bool, std::uint16_t, const Script*, std::string>;
    std::set<Compared> compared_;
};

}  // namespace locklab
