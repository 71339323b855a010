// Ctrl-C: long work polls this flag, keeps what is finished, and stops.
#pragma once

#include "harness/explore/sim_campaign.h"

namespace locklab {

/// Becomes true at the first SIGINT, SIGTERM or SIGHUP after the first call. Another one more than
/// a second later ends the program at once.
const StopFlag& interrupt_flag();

}  // namespace locklab
