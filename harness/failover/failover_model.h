// A failover in the model: the lock's own coroutine, the rules of the cluster, and the checkers
// that judge every other run. Messages and commands take no time, so that only the lag decides.
#pragma once

#include "harness/core/time.h"
#include "harness/failover/failover_cell.h"
#include "harness/failover/failover_outcome.h"

namespace locklab {

/// Which of two replicas Sentinel promotes is in no model, nor how long a disk takes.
bool is_modelled(const FailoverCell& cell);

/// The master dies `killed` after the answer to SET, and its replica takes over `promoted` after
/// that. A cell that is modelled.
FailoverOutcome modelled_failover(const FailoverCell& cell, const FailoverShape& shape,
                                  Duration killed, Duration promoted);

}  // namespace locklab
