// Whether the behaviour of live clients is a schedule of Cluster: their waits, retries, renewals
// and releases, what they gave up on, what they sent next, what they noted.
#pragma once

#include <optional>
#include <string>

#include "harness/core/run_spec.h"
#include "harness/inclusion/inclusion.h"

namespace locklab {

/// For a live history whose order of executions was found. `spec` is the specification of its run;
/// `lag` is the greatest lateness of its process, and so of a client.
Inclusion find_schedule(const History& history, const RunSpec& spec, Duration lag);

/// find_order() and, if it accepts, find_schedule().
Inclusion find_inclusion(const History& history, const RunSpec& spec, Duration lag);

}  // namespace locklab
