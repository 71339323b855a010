// What an exhaustive search exhausts: so many clients, rounds, tries and faults, and how long
// everything takes. Whole milliseconds, at most a minute.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/fault.h"
#include "harness/core/run_shape.h"
#include "harness/core/token_text.h"

namespace locklab {

struct Bounds {
    static constexpr std::uint32_t kMostClients = 4;
    static constexpr std::uint32_t kMostServers = 5;
    /// The longest time that there may be: sums of two fit into 16 bits of milliseconds.
    static constexpr Duration kLongest = std::chrono::seconds(30);

    std::uint32_t clients = 2;
    std::uint32_t servers = 1;  ///< that the lock asks
    /// Grants of each client, after which it is done.
    std::uint32_t rounds = 1;
    /// Tries of each client in one round, after which it gives up and is done.
    std::uint32_t attempts = 3;
    /// A client that has used up its tries, or done its rounds, is not done: it rests, and comes
    /// again where the question is whether it can still have the lock.
    bool waits_on = false;
    /// How many of each fault a run may have, over all clients.
    FaultBudget faults;
    /// How many clients may go for good after their job, without a release, where what they leave
    /// behind runs out. No fault: it is how a proof gets to see a time to live come to its end.
    std::uint32_t leaves = 0;
    /// Each job takes the lock a second time, and gives that one back before it ends.
    bool takes_again = false;

    LockOptions options;
    UnequalClients unequal;  ///< clients that are given other options than the rest
    Duration job{0};
    Duration wait{0};  ///< between two tries
    Duration command_timeout{0};
    /// The same where replies may be late, if that is longer.
    Duration patient_timeout{0};
    /// A request that no fault strikes takes so long at most, and so does a reply; zero: no time.
    Duration latency{0};
    Duration slow_job{0};
    Duration pause{0};   ///< and how long a stall is
    Duration delay{0};   ///< of a request, or of a reply
    Duration clock{0};   ///< by how much a clock is off, or jumps, ahead or back
    Duration outage{0};  ///< of a server that restarts; zero: it is back at once

    /// Keys that an eviction may strike, by their names, the lock's own first. A key is evicted
    /// only if it is among them.
    std::vector<std::string> keys{"lock"};

    /// What a search's tokens have in common. Only a lock that looks at a part of them can tell.
    TokenStyle tokens = TokenStyle::same_head;

    /// A job, a pause, a stall, a delay, an outage and a message's way end at any time up to their
    /// length; else only then.
    bool any_length = true;
    /// Of states that differ by the numbers of clients alone, one is kept.
    bool symmetry = true;

    /// Those, and a replica that follows the first until it takes over, where one may.
    std::uint32_t nodes() const { return servers + (faults.takes_over() ? 1U : 0U); }
    Topology topology() const { return {servers, nodes() - servers}; }
    /// How long a client waits for a reply.
    Duration timeout() const {
        return faults.has(FaultSize::reply_delay) ? late_timeout() : command_timeout;
    }
    Duration late_timeout() const { return std::max(command_timeout, patient_timeout); }
    /// By how much a reply is late at most. One that comes after the time-out is a lost one.
    Duration reply_delay() const {
        return std::clamp<Duration>(late_timeout() - std::chrono::milliseconds(1), Duration::zero(),
                                    delay);
    }
    /// Whether it is known whose command came first: it runs as it is sent.
    bool orders_tokens() const { return servers == 1 && latency == Duration::zero(); }
    /// How large a fault is.
    Duration amount_of(Hazard hazard) const;
    /// What a run within them is given.
    RunShape shape_for(const Algorithm& algorithm) const;
};

/// Times in proportion to a TTL of 1.2 s, chosen so that every order of a lease's end, a retry, a
/// renewal and a fault's end that can occur does: a retry comes before and after the end of a
/// lease, a pause outlasts it.
Bounds bounds_for(const Algorithm& algorithm);

/// The bounds of a client that comes to a lock that was left behind: it gives up on no try, and
/// tries again many times within a lease, as clients do. Search and stage bring the same.
Bounds newcomer_bounds(const Bounds& bounds);
/// Those of a client of the search that comes again: the same pause between two tries.
Bounds returning_bounds(const Bounds& bounds);
/// It waits so long: nothing that a lock leaves behind lasts as long, unless for ever.
Duration newcomer_patience(const Bounds& bounds);
/// Throws std::length_error, whose words are for the user, where a newcomer makes too many moves.
void count_newcomers_move(std::uint32_t& moves);

}  // namespace locklab
