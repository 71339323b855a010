// What all clients share: the server, the time, and the faults that may still strike. Environments
// are numbered; what a command makes of one is learnt once, from then on a look-up.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/core/hazard.h"
#include "harness/explore/interned.h"
#include "harness/explore/number_table.h"
#include "harness/explore/server_model.h"

namespace locklab {

/// How many of each fault may still strike, and how many clients may still leave without a release,
/// in four bits each.
class Budgets {
public:
    static constexpr std::uint32_t kMost = 15;

    bool any() const { return (words_[0] | words_[1]) != 0; }
    std::uint32_t left(Hazard hazard) const { return at(place_of(hazard)); }
    void set(Hazard hazard, std::uint32_t count) { set(place_of(hazard), count); }
    void spend(Hazard hazard) { spend(place_of(hazard)); }
    std::uint32_t leaves() const { return at(kLeaves); }
    void set_leaves(std::uint32_t count) { set(kLeaves, count); }
    void spend_leave() { spend(kLeaves); }
    /// Well mixed only together with a hash.
    std::uint64_t bits() const { return words_[0] ^ (words_[1] << 1 | words_[1] >> 63); }

    bool operator==(const Budgets&) const = default;

private:
    static constexpr std::uint32_t kInWord = 16;
    static constexpr std::uint32_t kLeaves = 2 * kInWord - 1;
    static_assert(kHazards.size() <= kLeaves);

    static std::uint32_t place_of(Hazard hazard) { return static_cast<std::uint32_t>(hazard); }
    static std::uint32_t shift_of(std::uint32_t place) { return 4 * (place % kInWord); }
    std::uint32_t at(std::uint32_t place) const {
        return static_cast<std::uint32_t>(words_[place / kInWord] >> shift_of(place)) & kMost;
    }
    void set(std::uint32_t place, std::uint32_t count) {
        LOCKLAB_ASSERT(count <= kMost && at(place) == 0);
        words_[place / kInWord] |= std::uint64_t{count} << shift_of(place);
    }
    void spend(std::uint32_t place) {
        words_[place / kInWord] -= std::uint64_t{1} << shift_of(place);
    }

    std::array<std::uint64_t, 2> words_{};
};

/// One server: its data, what it took down and may come back with, and for how long it is away.
struct ServerState {
    ServerData data;
    ServerData saved{ServerData::kNoShape, ServerData::kNever};  ///< kNoShape: nothing
    std::uint16_t down = 0;  ///< ms until it is back; 0: it is there

    /// A replica that has all that its master has, and that nobody asks yet.
    static constexpr ServerData kFollows{ServerData::kNoShape, ServerData::kNever};
    bool follows() const { return data == kFollows; }
    bool has_saved() const { return saved.shape != ServerData::kNoShape; }
    void forget_saved() { saved = {ServerData::kNoShape, ServerData::kNever}; }
    bool operator==(const ServerState&) const = default;
};

struct Environment {
    Budgets budget;
    std::array<ServerState, Bounds::kMostServers> servers;  ///< of which some may not be there
    std::uint32_t now = 0;  ///< ms since the run began; 0 where no lock looks at a clock

    bool operator==(const Environment&) const = default;
};

class EnvironmentTable {
public:
    explicit EnvironmentTable(ServerModel& server) : server_(server) {}

    const Environment& at(std::uint32_t number) const { return environments_[number]; }
    std::uint32_t number_of(const Environment& environment);
    /// Nothing if it was never met. Whatever says `known` is safe from several threads while nobody
    /// learns.
    std::optional<std::uint32_t> known_number_of(const Environment& environment) const;

    struct Result {
        std::uint32_t environment = 0;
        std::uint16_t reply = 0;
    };
    /// Client `client` has a server run one of its commands.
    Result execute(std::uint32_t environment, std::uint16_t command, std::uint32_t client,
                   std::uint32_t server);
    std::optional<Result> known(std::uint32_t environment, std::uint16_t command,
                                std::uint32_t client, std::uint32_t server) const {
        const std::optional<std::uint32_t> place =
            executed_.find(key_of(environment, command, client, server));
        if (!place) return std::nullopt;
        return results_[*place];
    }
    /// Whether it has a client's token in it.
    bool names_any(const Environment& environment) const {
        for (const ServerState& server : environment.servers) {
            if (!server.follows() && server_.names_any(server.data.shape)) return true;
            if (server.has_saved() && server_.names_any(server.saved.shape)) return true;
        }
        return false;
    }
    /// The environment after the clients have been renumbered.
    std::uint32_t renamed(std::uint32_t environment, const Permutation& from);
    std::optional<std::uint32_t> known_renamed(std::uint32_t environment,
                                               const Permutation& from) const;

    std::size_t size() const { return environments_.size(); }

private:
    struct Hash {
        std::size_t operator()(const Environment& environment) const;
    };

    static std::uint64_t key_of(std::uint32_t environment, std::uint16_t command,
                                std::uint32_t client, std::uint32_t server) {
        return std::uint64_t{environment} << 32 | std::uint64_t{command} << 8 | server << 4 |
               client;
    }

    ServerModel& server_;
    Interned<Environment, Hash> environments_;
    std::vector<Result> results_;
    NumberTable executed_;
    NumberTable renamed_;
};

}  // namespace locklab
