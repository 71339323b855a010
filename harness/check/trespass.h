// Commands that deleted, renewed or overwrote the key of a client that still counted on it.
// Pictures mark them, and expectations of scenarios speak of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/check/key_log.h"
#include "harness/core/history.h"

namespace locklab {

/// A client counts on the key from the command on which its grant rests until it lets go: its
/// release is over, it was told of its loss, or it crashed. `by` may be the victim itself, through
/// a late command of an earlier round.
struct Trespass {
    std::size_t event = 0;  ///< the Executed, by its place in the log
    ClientId victim;
    ClientId by;
    KeyEffect::Kind did = KeyEffect::Kind::deleted;  ///< or `extended`, or `replaced`
    bool takes = false;    ///< the client that overwrote it was granted the lock for that
    bool leaving = false;  ///< the victim's job was over, but not its release
    bool sure = false;     ///< the order of both commands, and their effects, are certain
};

/// For one lock; follows a history event by event.
class TrespassWatch {
public:
    void see(const Event& event, std::size_t place);
    /// In the order in which they happened. `log` is of the same history.
    std::vector<Trespass> end(const KeyLog& log) const;

private:
    enum class Kind : std::uint8_t { granted, leaving, let_go, taken_over };
    struct Moment {
        std::size_t event = 0;
        ClientId client;
        NodeId node;  ///< the server that takes over
        Kind kind = Kind::granted;
    };
    class Owners;

    std::vector<Moment> moments_;
};

/// Keys that were deleted while their owners counted on them.
struct Deletions {
    std::uint64_t of_own = 0;  ///< by a command of the owner itself, from an earlier round
    std::uint64_t of_anothers = 0;
    std::uint64_t keys = 0;  ///< keys on which grants rest

    void add(const Deletions& other);
};

/// Counts those that are certain. `log` is of the history in which they were found.
Deletions deletions_among(const std::vector<Trespass>& found, const KeyLog& log);

/// In the order in which they happened.
std::vector<Trespass> trespasses(const History& history);

}  // namespace locklab
