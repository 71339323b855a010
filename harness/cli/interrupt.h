// Ctrl-C: long work looks at this flag, keeps what is finished, and leaves.
#pragma once

#include "harness/explore/sim_campaign.h"

namespace locklab {

/// Becomes true at the first SIGINT, SIGTERM or SIGHUP after this was first called. A second
/// one ends the program at once.
const StopFlag& interrupt_flag();

}  // namespace locklab
