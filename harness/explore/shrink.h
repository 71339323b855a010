// A long run that is violated, made short: faults go first, then whatever else can be left out.
#pragma once

#include "harness/explore/path.h"

namespace locklab {

/// A part of the same run that is violated, of which no single step can be left out. Steps that
/// cannot be made where a shorter run has come to are left out with the one that they need. `path`
/// must be violated under `rules`.
Path shrink(Rules& rules, const Path& path);

/// The run as far as it can be made, until it is violated; what cannot be made is left out.
/// `violated` says whether it came to that.
Path replayed(Rules& rules, const Path& path, bool& violated);

}  // namespace locklab
