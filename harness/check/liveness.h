// Whether a client that wants the lock gets it, once no live client has it.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "harness/check/per_client.h"
#include "harness/core/history.h"

namespace locklab {

/// An orphan wait: a live client wants the lock, and no live client is between its grant and the
/// end of its release.
struct Liveness {
    /// An orphan wait goes on at the end, and there was no grant for as long as the history's
    /// patience: stuck for ever. Patience is to be longer than any hold and any pause. Of a library
    /// that is not ours nobody knows how long it waits for an answer that was lost: a client that
    /// still does is not stuck.
    bool stuck = false;
    /// The clients that wait then; empty unless stuck.
    std::vector<ClientId> waiting;
    /// The longest orphan wait that a grant ended. If it is about the TTL, or more: stuck until the
    /// TTL.
    Duration longest_orphan_wait{0};
    /// The client that was granted the lock at the end of that wait.
    ClientId longest_waiter;
    /// From each crash of a holder to the next grant, if one came.
    std::vector<Duration> recoveries;

    /// Adds the findings about another lock of the same run.
    void add(Liveness&& other);
};

/// From which length an orphan wait counts as stuck until the TTL, in campaigns and searches: half
/// the TTL. Zero, not judged, for a lock without a TTL.
constexpr Duration orphan_limit(Duration ttl) { return ttl / 2; }
/// Whether a wait is at least that long.
constexpr bool is_orphan_wait(Duration wait, Duration limit) {
    return limit > Duration::zero() && wait >= limit;
}

/// Follows a history event by event.
class LivenessWatch {
public:
    explicit LivenessWatch(const HistoryHead& head);
    ~LivenessWatch();
    LivenessWatch(LivenessWatch&& other) noexcept;
    void see(const Event& event);
    /// `at`: the end of the history.
    Liveness end(Instant at, Duration patience);

private:
    class Watch;
    /// An event that is kept back until it is known whether the history tells the ends of its
    /// client's releases.
    struct Seen {
        Instant at;
        ClientId client;
        std::uint8_t what = 0;
    };
    void follow(bool at_end);

    const bool is_ours_;  ///< one of our worlds: tells the ends of all releases, or of none
    const bool is_of_driver_;
    bool tells_releases_ = false;
    PerClient<std::uint8_t> releases_;  ///< 1: it tells those of this client
    std::unique_ptr<Watch> watch_;
    std::deque<Seen> waiting_;
};

Liveness check_liveness(const History& history);

}  // namespace locklab
