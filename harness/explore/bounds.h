// The limits of an exhaustive search: the number of clients, rounds, tries and faults, and how long
// everything takes. Times are whole milliseconds, at most a minute.
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
    /// The longest time that bounds may have: the sum of two fits into 16 bits of milliseconds.
    static constexpr Duration kLongest = std::chrono::seconds(30);

    std::uint32_t clients = 2;
    std::uint32_t servers = 1;  ///< number of servers that the lock asks
    /// Grants of each client, after which it is done.
    std::uint32_t rounds = 1;
    /// Tries of each client in one round, after which it gives up and is done.
    std::uint32_t attempts = 3;
    /// The attempts, if lower, once a server may hang, or a link be cut; zero: no other number.
    std::uint32_t attempts_in_silence = 0;
    /// A client whose tries or rounds are used up rests instead of ending. It comes again where the
    /// search asks whether it can still get the lock.
    bool waits_on = false;
    /// How many of each fault a run may have, over all clients.
    FaultBudget faults;
    /// How many clients may go for good after their job, without a release, if what they leave
    /// behind expires. No fault: it lets a proof see a time to live expire.
    std::uint32_t leaves = 0;
    /// Each job takes the lock a second time, and gives that grant back before it ends.
    bool takes_again = false;

    LockOptions options;
    UnequalClients unequal;  ///< clients whose options differ from the rest
    Duration job{0};
    Duration wait{0};  ///< between two tries
    Duration command_timeout{0};
    /// The time-out where replies may be late, if it is longer than command_timeout.
    Duration patient_timeout{0};
    /// The longest time that a request, or a reply, takes without a fault; zero: no time.
    Duration latency{0};
    Duration slow_job{0};
    Duration pause{0};   ///< of a client, a stall, a partition, a server that hangs
    Duration delay{0};   ///< of a request, or of a reply
    Duration clock{0};   ///< how far a clock is off, or jumps, ahead or back
    Duration outage{0};  ///< of a server that restarts; zero: it is back at once

    /// Names of keys that an eviction may strike, the lock's own first: see EvictedKeys. A key is
    /// evicted only if it is among those that keys_of() has.
    std::vector<std::string> keys{"lock"};
    /// Why nothing can be said of the lock, since something was seen as these bounds were made;
    /// empty: nothing was.
    std::string why_unknown{};

    /// What a search's tokens have in common. Only a lock that looks at a part of them can tell.
    TokenStyle tokens = TokenStyle::same_head;

    /// A job, pause, stall, hang, delay, outage or message may end at any time up to its length; if
    /// false, only at its full length.
    bool any_length = true;
    /// Keep one of several states that differ only by a renaming of clients.
    bool symmetry = true;
    /// Where the lock asks all servers alike: keep one of several states that differ only by a
    /// renaming of servers. Only together with `symmetry`.
    bool server_symmetry = true;
    /// Where each try has a lock object of its own: keep one of several histories of a client that
    /// is between two tries.
    bool forgets_tries = true;

    /// A run may have these faults from now on, and no others.
    void set_faults(const FaultBudget& budget);

    /// The servers, plus a replica that follows the first until a failover, where failovers are
    /// allowed.
    std::uint32_t nodes() const { return servers + (faults.takes_over() ? 1U : 0U); }
    /// Whether servers may count as alike, for what is known without the lock.
    bool may_have_like_servers() const {
        return symmetry && server_symmetry && servers > 1 && nodes() == servers;
    }
    Topology topology() const { return {servers, nodes() - servers}; }
    /// How long a client waits for a reply.
    Duration timeout() const {
        return faults.has(FaultSize::reply_delay) ? late_timeout() : command_timeout;
    }
    Duration late_timeout() const { return std::max(command_timeout, patient_timeout); }
    /// The largest delay of a reply: below the time-out, since a later reply counts as lost.
    Duration reply_delay() const {
        return std::clamp<Duration>(late_timeout() - std::chrono::milliseconds(1), Duration::zero(),
                                    delay);
    }
    /// Whether the order in which clients take the lock is known: a command runs as it is sent.
    bool orders_tokens() const { return servers == 1 && latency == Duration::zero(); }
    /// How large a fault is.
    Duration amount_of(Hazard hazard) const;
    /// The shape of a run within these bounds.
    RunShape shape_for(const Algorithm& algorithm) const;
};

/// Times in proportion to a TTL of 1.2 s, chosen so that the end of a lease, a retry, a renewal and
/// the end of a fault occur in every possible order: a retry comes before and after the end of a
/// lease, and a pause outlasts the lease.
Bounds bounds_for(const Algorithm& algorithm);

/// Bounds of a newcomer to a lock that was left behind: its tries do not run out, and it makes many
/// of them within a lease, as clients do. Search and stage use the same bounds.
Bounds newcomer_bounds(const Bounds& bounds);
/// Bounds of a client of the search that comes again: it sleeps as long between tries as a
/// newcomer.
Bounds returning_bounds(const Bounds& bounds);
/// How long a newcomer waits: longer than anything that a lock leaves behind for a limited time.
Duration newcomer_patience(const Bounds& bounds);
/// Counts a move. Throws std::length_error, with a message for the user, at one too many.
void count_newcomers_move(std::uint32_t& moves);

}  // namespace locklab
