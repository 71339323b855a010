// Which commands deleted, renewed or overwrote the key of a client that still counted on it. A
// picture marks them, and the expectations of scenarios speak of them.
#pragma once

#include <cstddef>
#include <vector>

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
};

/// In the order in which they happened.
std::vector<Trespass> trespasses(const History& history);

}  // namespace locklab
