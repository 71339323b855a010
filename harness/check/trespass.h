// Which commands deleted, renewed or overwrote the key of a client that still counted on it. A
// picture marks them, and the expectations of scenarios speak of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/check/key_log.h"
#include "harness/core/history.h"

namespace locklab {

/// A client counts on the key from the command that its grant rests on until it has let go: its
/// release is over, it was told of its loss, or it crashed. `by` may be the victim itself, by a
/// command of an earlier round that arrives late.
struct Trespass {
    std::size_t event = 0;  ///< the Executed, by its place in the log
    ClientId victim;
    ClientId by;
    KeyEffect::Kind did = KeyEffect::Kind::deleted;  ///< or `extended`, or `replaced`
    bool takes = false;    ///< it was overwritten by who was granted the lock for it
    bool leaving = false;  ///< the victim's job was over, its release was not
    bool sure = false;     ///< nobody need guess in which order both commands ran, or what they did
};

/// Of one lock; follows a history event by event.
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
        NodeId node;  ///< that takes over
        Kind kind = Kind::granted;
    };
    class Owners;

    std::vector<Moment> moments_;
};

/// Keys that were deleted while their owners counted on them.
struct Deletions {
    std::uint64_t of_own = 0;  ///< by a command of the owner's own, of an earlier round
    std::uint64_t of_anothers = 0;
    std::uint64_t keys = 0;  ///< that grants rest on

    void add(const Deletions& other);
};

/// Those that are sure. `log` is of the history in which these were found.
Deletions deletions_among(const std::vector<Trespass>& found, const KeyLog& log);

/// In the order in which they happened.
std::vector<Trespass> trespasses(const History& history);

}  // namespace locklab
