// Ctrl-C: long work looks at this flag, keeps what is finished, and leaves.
#pragma once

#include "harness/explore/sim_campaign.h"

namespace locklab {

/// Becomes true at the first SIGINT, SIGTERM or SIGHUP after this was first called. One that comes
/// more than a second later ends the program at once.
const StopFlag& interrupt_flag();

}  // namespace locklab
