// What a server can do, learnt from the Redis model. Its data are interned, and each command is
// executed once for each of them; after that an execution is a look-up.
//
// The data hold no time. Expiry is kept beside them, in milliseconds from now: the lock's own key
// as a number, other keys as the number of a list. So is the script cache: a bit for each script
// that some command has looked for in it. Only such a command can tell whether a script is cached,
// so other scripts need not be known. So are the transactions and watched keys of connections: the
// number of a list.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
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

/// Client i becomes the j with `from[j] == i`.
using Permutation = std::array<std::uint8_t, Bounds::kMostClients>;
inline constexpr Permutation kIdentity{0, 1, 2, 3};
/// A number below 256 that identifies the permutation.
constexpr std::uint32_t code_of(const Permutation& from) {
    std::uint32_t code = 0;
    for (const std::uint8_t client : from) code = code << 2 | client;
    return code;
}

/// Which of its connections to a server a client uses. What is open over one is part of the
/// server's data.
namespace connection {
inline constexpr std::uint32_t kPresent = 0;
/// From 1 on: those that its worker has left with a transaction open, and a request on its way.
inline constexpr std::uint32_t kMostLeft = 3;
/// That of a background task, which must open nothing.
inline constexpr std::uint32_t kBackground = 14;
/// One that was left with no transaction open. It closes after the request.
inline constexpr std::uint32_t kLeft = 15;
}  // namespace connection

/// A server's data, without the oracle of perfect_lock.
struct ServerData {
    static constexpr std::uint16_t kNever = 0xFFFF;
    static constexpr std::uint16_t kNoShape = 0xFFFF;
    std::uint16_t shape = 0;              ///< 0: no key at all
    std::uint16_t remaining_ms = kNever;  ///< of the lock's key; 0: it ends in this millisecond
    std::uint16_t others = 0;   ///< number of the list of other keys that expire; 0: none does
    std::uint16_t scripts = 0;  ///< cached scripts, of those that are looked for: a bit for each
    std::uint16_t open = 0;     ///< number of what connections have open; 0: nothing

    bool has_keys() const { return shape != 0; }
    bool has_ttl() const { return remaining_ms != kNever || others != 0; }
    /// What a snapshot has of the data, and a replica that takes over: see RedisModel.
    ServerData keys_only() const { return {shape, remaining_ms, others}; }
    /// Without what connections have open.
    std::uint64_t bits() const {
        return std::uint64_t{shape} << 48 | std::uint64_t{remaining_ms} << 32 |
               std::uint64_t{others} << 16 | scripts;
    }
    std::uint64_t hash() const {
        const std::uint64_t own = (bits() ^ 0x9E3779B97F4A7C15U) * 0xD6E8FEB86659FD93U;
        return (own ^ own >> 32 ^ open) * 0xD6E8FEB86659FD93U;
    }
    bool operator==(const ServerData&) const = default;
};

/// Digests, none twice.
using ScriptNames = std::vector<Sha1>;

class ServerModel {
public:
    static constexpr std::size_t kMostScripts = 16;
    /// In place of a key's number: all that the server has, also those that are in no list.
    static constexpr std::uint16_t kEveryKey = 0xFFFF;

    /// `scripts`: whether the server has cached these is part of its data. `keys`: those that can
    /// be evicted, the lock's own first (keys_of()).
    ServerModel(ClientModel& clients, ScriptNames scripts, std::vector<std::string> keys);

    struct Result {
        ServerData data;
        std::uint16_t reply = 0;
        bool takes = false;  ///< the command created or overwrote the lock's key
    };
    struct Answer {
        ServerData data;
        Reply reply;
        bool takes = false;
    };
    /// The server runs a command of client `client` that came over this connection.
    Result execute(ServerData data, std::uint16_t command, std::uint32_t client,
                   std::uint32_t connection);
    /// Runs a command from outside the search. Its words, and those of the reply, are real texts.
    Answer execute(ServerData data, const Command& command, std::uint32_t client) {
        return execute(data, command, session_id(client, connection::kPresent));
    }
    /// Whether the client has a transaction open over its present connection.
    bool in_transaction(ServerData data, std::uint32_t client) const;
    /// The client leaves a connection. What it has open there ends or, if `as` is not kPresent,
    /// stays as that of a connection with a request on its way.
    ServerData leave(ServerData data, std::uint32_t client, std::uint32_t connection,
                     std::uint32_t as);

    /// The data after a renaming of clients, with every token renamed to its owner's new number.
    ServerData renamed(ServerData data, const Permutation& from);
    /// Whether the data tell clients apart: by a token, or by what they have open.
    bool names_any(ServerData data) const { return named_[data.shape] != 0 || data.open != 0; }
    /// Whether the data are only the lock's key, with tokens of this client and no other.
    bool is_of(std::uint16_t shape, std::uint32_t client) const {
        return shape != 0 && without_lock_[shape] == 0 && named_[shape] == 1U << client;
    }

    /// Of the lock's own key.
    ServerData evict(ServerData data) const;
    /// Of any key of the list, by its place there; or of every key.
    ServerData evicted(ServerData data, std::uint16_t key);
    /// Nothing if it is not known. Safe from several threads while nobody learns.
    std::optional<ServerData> known_evicted(ServerData data, std::uint16_t key) const;
    /// Which keys of the list are there: a bit for each.
    std::uint64_t keys_in(std::uint16_t shape) const { return keys_in_[shape]; }
    /// A key that is there and not in the list, with its tokens left out; empty: there is none.
    const std::string& unlisted_in(std::uint16_t shape) const { return unlisted_in_[shape]; }
    /// Time passes, or the server's clock jumps; back where `ms` is below zero.
    ServerData shifted(ServerData data, std::int32_t ms);
    /// Nothing if not known. Safe from several threads while none learns.
    std::optional<ServerData> known_shifted(ServerData data, std::int32_t ms) const;
    /// Milliseconds until the first of the other keys expires; kNever: none does.
    std::uint16_t first_of_others(ServerData data) const { return lefts_[data.others].first; }

    /// The scripts of the constructor, and all that were looked for since.
    const ScriptNames& scripts() const { return script_names_; }
    /// How each kind of command of the search's clients was answered.
    const std::set<AnsweredCommand>& answered() const { return answered_; }

    std::size_t shapes() const { return shapes_.size(); }
    /// The value of the lock's key, for people to read.
    std::string text_of(ServerData data) const;

private:
    /// Keys besides the lock's, by name, with the milliseconds that they have left.
    struct Left {
        std::vector<std::pair<std::string, std::uint16_t>> keys;
        std::uint16_t first = ServerData::kNever;  ///< the least of these times
    };
    struct Hash {
        std::size_t operator()(const ServerData& data) const {
            return data.hash() ^ data.hash() >> 32;
        }
    };

    static constexpr const char* kKey = "lock";

    /// Converts a time to live; throws if it is too long for the states of a search.
    static std::uint16_t room_for(std::int64_t ms);
    void expire_at(RedisModel& model, const std::string& key, std::int64_t ms);
    std::uint16_t number_of(const RedisModel& model);
    std::uint16_t number_of(Left left);
    std::uint16_t number_of(const Sessions& open);
    using ChangeWord = std::function<std::string(const std::string&)>;
    /// The same with each word changed.
    static Sessions renamed_words(const Sessions& open, const ChangeWord& change);
    /// The same with clients renamed too.
    static Sessions renamed(const Sessions& open, const Permutation& from,
                            const ChangeWord& change);
    static SessionId session_id(std::uint32_t client, std::uint32_t connection) {
        return SessionId{client} << 4 | connection;
    }
    Answer execute(ServerData data, const Command& command, SessionId from);
    /// The command runs, and a connection that was left closes.
    Reply run(RedisModel& model, const Command& command, SessionId from);
    void note_keys(const RedisModel& model);
    void compare(ServerData data, const Command& named, SessionId from, ServerData after,
                 const Reply& reply);
    /// Converts between the data and the whole Redis model.
    RedisModel model_of(ServerData data);
    ServerData data_of(RedisModel& model, std::int32_t in_ms = 0);
    void add_scripts(RedisModel& model, ServerData data) const;
    std::uint16_t scripts_of(const RedisModel& model);
    void learn_what_was_asked(const Command& sent);
    /// Shifts the lock's own key.
    ServerData shift_lock(ServerData data, std::int32_t ms) const;
    /// A number below 2^18.
    static std::uint64_t shifted_by(std::int32_t ms) {
        constexpr std::int32_t kBack = 1 << 16;
        return static_cast<std::uint64_t>(ms + kBack);
    }
    static std::uint64_t shift_key(ServerData data, std::int32_t ms) {
        return std::uint64_t{data.shape} << 34 | std::uint64_t{data.others} << 18 | shifted_by(ms);
    }

    /// Time passes, or a key goes, while connections watch it: `what` says which.
    std::optional<ServerData> known_open(const NumberTable& table, ServerData data,
                                         std::uint64_t what) const;
    ServerData learn_open(NumberTable& table, ServerData before, std::uint64_t what,
                          ServerData after);
    /// Removes the key of that number, or every key.
    void remove_key(RedisModel& model, std::uint16_t key) const;
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
    std::vector<std::shared_ptr<const std::string>> script_texts_;  ///< null: not seen yet
    Interned<ServerData, Hash> data_numbers_;
    std::vector<Result> results_;
    NumberTable executed_;
    NumberTable renamed_;
    NumberTable renamed_lefts_;
    NumberTable shifted_;             ///< where other keys expire: shape and list, in one number
    NumberTable evicted_;             ///< where another key went: the same
    std::vector<Sessions> opens_{1};  ///< what connections have open; the first: nothing
    NumberTable renamed_opens_;
    NumberTable open_shifted_;  ///< by the number of the whole data
    NumberTable open_evicted_;
    std::set<AnsweredCommand> answered_;
    /// What has also been run with other tokens.
    using Compared = std::tuple<std::uint16_t, bool, bool, std::uint16_t, std::uint16_t, SessionId,
                                const Script*, std::string>;
    std::set<Compared> compared_;
};

}  // namespace locklab
