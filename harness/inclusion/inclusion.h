// Whether the rules allow a live history. A real server does not tell when it ran a command: it was
// between sending and reply. So for each server we look for an order of executions in which the
// model gives every reply that the real server gave, at instants that the history allows, under the
// faults that it tells. A command without an answer may have run at any time after it was sent, or
// never; a request that was lost never ran.
//
// A replica that takes over has its master's data from after some command, no later than the
// failover.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/history.h"
#include "harness/store/redis/keyspace.h"

namespace locklab {

struct Inclusion {
    enum class Found : std::uint8_t {
        accepted,   ///< such an order exists
        refused,    ///< no such order exists
        undecided,  ///< not known: see `why`
    };
    Found found = Found::accepted;
    std::uint64_t executions = 0;  ///< commands with a reply; each has its place in the order
    std::uint64_t unanswered = 0;  ///< commands that may or may not have run
    /// If refused: the first event that no order allows, by its place in the log. No order gets
    /// further.
    std::optional<std::size_t> event;
    std::string why;  ///< if refused or undecided: half a sentence
};

/// What a history does not tell about its servers.
struct ServerNotes {
    std::map<NodeId, std::vector<KeyEntry>> keys;  ///< that were there as it began
    /// Texts of scripts that servers may have had cached as it began, beside those that it tells.
    std::vector<std::string> scripts;
    /// What happened to a server may have done so up to so long before it was noted.
    Duration noted_late{0};
};

/// The history must have its commands. After `most` tried executions the search gives up with
/// `undecided`.
Inclusion find_order(const History& history, const ServerNotes& notes = {},
                     std::uint64_t most = 200'000);

/// Why a history is left undecided whose search gave up.
inline constexpr const char* kTooManyOrders = "too much was under way at once, in too many orders";
/// How the reason begins where a client was late, by less than a rule of the lock can tell.
inline constexpr const char* kLaterThanNoticed = "the machine was later than was noticed: ";

/// The results of many histories.
struct InclusionCount {
    std::uint64_t accepted = 0;
    std::uint64_t undecided = 0;
    std::uint64_t refused = 0;
    std::uint64_t first_run = 0;  ///< the first refused run
    std::uint64_t histories() const { return accepted + undecided + refused; }
    std::string first_why;        ///< as written by to_text()
    std::string first_undecided;  ///< why the first undecided one is that

    void add(const Inclusion& inclusion, std::uint64_t run);
};

/// As `locklab campaign` prints it: the rules allow all 40 histories.
std::string to_text(const InclusionCount& count);

/// One sentence, as `locklab check` prints it.
std::string to_text(const Inclusion& inclusion);

}  // namespace locklab
