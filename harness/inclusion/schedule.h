// Whether what live clients made of their replies is a schedule of Cluster: their waits, retries,
// renewals, releases, what they gave up on, what they sent next, what they noted.
#pragma once

#include <optional>
#include <string>

#include "harness/core/run_spec.h"
#include "harness/inclusion/inclusion.h"

namespace locklab {

/// Of a live history in which an order of executions was found. `spec` is what its run was given,
/// and `lag` how late its process was at worst: a client may be as late.
Inclusion find_schedule(const History& history, const RunSpec& spec, Duration lag);

/// Both: of an order that was found, whether the clients' part goes with it.
Inclusion find_inclusion(const History& history, const RunSpec& spec, Duration lag);

}  // namespace locklab
