// A long run that is violated, made short: faults go first, then whatever else can be left out.
#pragma once

#include "harness/explore/path.h"

namespace locklab {

/// A part of the same run that is violated too, of which no single step can be left out. Steps that
/// cannot be made any more go with the one that they needed. `path` must be violated.
Path shrink(const Algorithm& algorithm, const Bounds& bounds, const Path& path);

}  // namespace locklab
