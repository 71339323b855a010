// Whether a live history is included in what the rules allow. A real server does not say when it
// ran a command: some time between sending and reply. So an order of executions is looked for, one
// for each server, in which the model gives every reply that the real one gave, at instants that
// the history allows, under the faults of which it tells. What nobody answered may have run at any
// time after it was sent, or never; what was lost on its way never did.
//
// A replica that takes over has what its master had after some command, not later than then.
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
        accepted,   ///< there is such an order
        refused,    ///< there is none
        undecided,  ///< nobody knows: see `why`
    };
    Found found = Found::accepted;
    std::uint64_t executions = 0;  ///< commands with a reply, all of which have their place
    std::uint64_t unanswered = 0;  ///< commands that may have run, or not
    /// Refused: the first event that no order allows, by its place in the log. An order that goes
    /// further there is not.
    std::optional<std::size_t> event;
    std::string why;  ///< refused or undecided: in half a sentence
};

/// What a history does not say of its servers.
struct ServerNotes {
    std::map<NodeId, std::vector<KeyEntry>> keys;  ///< that were there as it began
    /// Texts of scripts that servers may have had cached as it began, beside those that it tells.
    std::vector<std::string> scripts;
    /// What befell a server may have done so up to so long before it was noted.
    Duration noted_late{0};
};

/// Of a history that has its commands. `most` executions are tried before it gives up, which is
/// `undecided`.
Inclusion find_order(const History& history, const ServerNotes& notes = {},
                     std::uint64_t most = 200'000);

/// Of many histories.
struct InclusionCount {
    std::uint64_t accepted = 0;
    std::uint64_t undecided = 0;
    std::uint64_t refused = 0;
    std::uint64_t first_run = 0;  ///< of those refused
    std::uint64_t histories() const { return accepted + undecided + refused; }
    std::string first_why;  ///< as to_text() has it

    void add(const Inclusion& inclusion, std::uint64_t run);
};

/// As `locklab campaign` says it: the rules allow all 40 histories.
std::string to_text(const InclusionCount& count);

/// In one sentence, as `locklab check` says it.
std::string to_text(const Inclusion& inclusion);

}  // namespace locklab
