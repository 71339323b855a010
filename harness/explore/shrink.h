// Shortens a long run that is violated: first drops faults, then whatever else can go.
#pragma once

#include "harness/explore/path.h"

namespace locklab {

/// A part of the run that is still violated, and from which no single step can be dropped. Steps
/// that depend on a dropped one are dropped with it. `path` must be violated.
Path shrink(const Algorithm& algorithm, const Bounds& bounds, const Path& path);

}  // namespace locklab
