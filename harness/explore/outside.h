// Whether a lock keeps something outside of its object: asked before anything is made of its runs.
#pragma once

#include <string>

#include "harness/core/lock.h"

namespace locklab {

/// Why no run of it shows anything, as half a sentence; empty: nothing speaks against it. A few
/// simulated runs tell, in which its clients contend, without faults and with theirs.
std::string keeps_outside(const Algorithm& algorithm);

}  // namespace locklab
