// The plays that show a counterexample of a search.
#pragma once

#include "harness/foreign/virtual_search.h"

namespace locklab {

/// Plays the counterexample's choices three times more, and records their commands. Looking at the
/// key should change nothing; where it does, the play is shown without commands. A play that proves
/// nothing is not shown if another one, or the counterexample's own, has proved an overlap.
void record_find(VirtualWorld& world, const Subject& subject, const PlaySpec& spec,
                 VirtualFind& find, std::uint64_t run);

}  // namespace locklab
