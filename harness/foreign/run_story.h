// Makes a history of what the harness asked driver processes and read from them, in that order.
//
// Only the order of answers proves which clients were inside together (check/proved_overlap.h). The
// history says no more than was proved, so that a check of its intervals finds the same:
//
// 1. A client is inside from the read of its grant to the request of its last step that was ok; or
// until it was told of its loss, or another was granted the lock, if that is later.
// 2. If no overlap was proved, no two intervals of the history overlap: the earlier one is cut
// short.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/check/proved_overlap.h"
#include "harness/core/history.h"

namespace locklab {

/// What clients were told that were inside together with another one that came later.
struct Told {
    std::uint64_t lost = 0;      ///< that the lock is lost, as they worked
    std::uint64_t not_ours = 0;  ///< by their release, that they do not hold the lock
    std::uint64_t error = 0;     ///< an error of their release
    std::uint64_t nothing = 0;
};

class RunStory {
public:
    using Clock = std::chrono::steady_clock;

    /// `now`: the clock for its times.
    RunStory(HistoryHead head, Clock::time_point began,
             std::function<Clock::time_point()> now = Clock::now);

    /// Later than every stamp before.
    Instant stamp();
    void note(ClientId client, Phase phase, EventDetail detail) {
        note_at(stamp(), client, phase, std::move(detail));
    }
    void note_at(Instant at, ClientId client, Phase phase, EventDetail detail);
    Instant instant_of(Clock::time_point at) const {
        return Instant(std::chrono::duration_cast<Duration>(at - began_));
    }

    /// The client is in this phase from now on.
    void entered(ClientId client, Phase phase);
    /// The client's phase at that time.
    Phase phase_at(ClientId client, Instant at) const;

    /// `lease`: computed by the client's own clock; zero: it computes none. `fence`: its fencing
    /// token; zero: none. `left`: time left of its lease, as its library says.
    void granted(ClientId client, std::string token, Duration lease = Duration(0),
                 std::uint64_t fence = 0, std::optional<Duration> left = {});
    void step_asked(ClientId client);
    /// Its step is ok, and it has not been told of a loss.
    void inside(ClientId client);
    /// It has been told that it lost the lock.
    void told_lost(ClientId client);
    void release_asked(ClientId client);
    /// `told`: the release told it something, even if an error.
    void released(ClientId client, Release outcome, bool told);
    /// Its process is gone.
    void crashed(ClientId client);
    /// The same, and nobody killed it.
    void died(ClientId client, Phase phase);

    bool is_inside(ClientId client) const { return open_.contains(client.value); }
    /// Whether both are inside and this is not proved yet.
    bool suspects(ClientId one, ClientId other) const;
    std::uint64_t grants() const { return grants_; }
    /// Clients that ever had a step answered ok, so that they were inside.
    const std::set<std::uint32_t>& seen_inside() const { return seen_inside_; }
    const std::vector<ProvedOverlap>& proved() const { return proved_; }
    /// The proved overlaps as pairs of clients: first the one with the earlier grant.
    const std::vector<std::pair<ClientId, ClientId>>& proved_pairs() const { return pairs_; }
    Told told() const;

    /// Call once, at the end. `scripts` holds those that the history's commands point to.
    History finish(std::shared_ptr<const void> scripts = nullptr);

private:
    struct Stay {
        ClientId client;
        std::uint64_t grant = 0;
        Instant from;
        Instant until;
        std::optional<Instant> asked{};
        bool told = false;
        bool was_there = false;  ///< it was inside, as proved, when another was granted the lock
        bool is_told_at_release = false;
        Release release = Release::yes;
    };

    void tell(ClientId client, ClientMoment::Kind kind);
    Stay* open(ClientId client);
    void cut_short();

    const Clock::time_point began_;
    const std::function<Clock::time_point()> now_;
    History history_;
    OverlapProver prover_;
    std::vector<Stay> stays_;
    std::map<std::uint32_t, std::size_t> open_;  ///< by client, its present time inside
    std::map<std::uint32_t, std::size_t> last_;  ///< by client, its last time inside
    std::map<std::uint32_t, std::map<Instant, Phase>> phases_;  ///< by client and start
    std::set<std::uint32_t> seen_inside_;
    std::vector<ProvedOverlap> proved_;
    std::set<std::pair<std::uint64_t, std::uint64_t>> proved_grants_;
    std::vector<std::pair<ClientId, ClientId>> pairs_;
    std::uint64_t grants_ = 0;
    Instant latest_;
};

}  // namespace locklab
