// The plays that show a find of a search.
#pragma once

#include "harness/foreign/virtual_search.h"

namespace locklab {

/// Plays the find's choices three times more, and shows their commands. Looks at the key change
/// nothing; where they do, the play is shown without. A play that proves nothing is not shown
/// where another has proved an overlap, the find's own to begin with.
void record_find(VirtualWorld& world, const Subject& subject, const PlaySpec& spec,
                 VirtualFind& find, std::uint64_t run);

}  // namespace locklab
