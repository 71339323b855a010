// Clients of one lock, where everything that the lock asks for is seen. No faults: a command takes
// a millisecond, and every clock is right.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "harness/cluster/cluster.h"
#include "harness/core/random_choices.h"

namespace locklab {

class Watched final : private Agenda {
public:
    struct Seen {
        std::set<std::uint32_t> redis_servers;  ///< that were sent a command
        bool asks_oracle = false;               ///< for its mutex
        bool is_for_valkey = false;             ///< it sent what Redis does not know
        bool reads_wall_clock = false;
        bool reads_monotonic_clock = false;
        bool commands_inside = false;   ///< some client sent Redis a command while it was inside
        bool overtaken = false;         ///< somebody who began to wait later was granted before
        bool overlaps = false;          ///< somebody came in while another was inside
        bool keeps_holder_out = false;  ///< a try of a client that was inside was in vain
        std::uint64_t retakes = 0;      ///< of the grants: to a client that was inside
        std::uint64_t grants = 0;
        std::uint64_t fences = 0;    ///< of the grants
        std::uint64_t refusals = 0;  ///< of the tries
    };

    /// `algorithm` must outlive it. Its clients stop after so many grants.
    Watched(const Algorithm& algorithm, std::uint32_t clients, std::uint64_t enough,
            const Workload& workload);
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

    /// Until every client is done. False if one is not in so long.
    bool run(Duration longest = std::chrono::hours(1));
    Seen seen() const;

private:
    struct Due {
        Instant at;
        Move move;
    };
    struct Client {
        bool inside = false;
        /// Which wish of all it is that the client waits with; 0: it does not.
        std::uint64_t wish = 0;
    };

    void is_ready(std::uint32_t message) override;
    void armed(const Move& move, const Window& window) override;
    void noted(const Event& event) override;
    Choices& choices() override { return choices_; }
    bool enough(ClientId) override { return seen_.grants >= enough_; }
    std::optional<Duration> slow_job(ClientId, std::uint32_t) override { return std::nullopt; }

    void granted(Client& client, const event::Granted& grant);

    const std::uint64_t enough_;
    const Workload workload_;
    RandomChoices choices_{1};
    std::vector<Client> clients_;
    std::vector<Due> due_;  ///< in the order in which they became possible
    std::uint64_t wishes_ = 0;
    Seen seen_;
    ScriptEngine scripts_;
    Cluster cluster_;
};

}  // namespace locklab
