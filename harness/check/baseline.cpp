#include "harness/check/baseline.h"

namespace locklab {

namespace {

/// The reason, by what a server loses through the fault.
std::string_view why_of_loss(FaultLoss loss) {
    switch (loss) {
        case FaultLoss::nothing: return {};
        case FaultLoss::key: return "A server that evicts the key of a lease has forgotten it.";
        case FaultLoss::keys: return "A server whose keys are deleted has forgotten its leases.";
        case FaultLoss::connections:
            return "A server that comes back empty, or with old data, has forgotten leases that it "
                   "gave.";
        case FaultLoss::mastership:
            return "A replica that takes over lacks the leases that its master gave last, since "
                   "replication is not waited for.";
    }
    return {};
}

}  // namespace

std::string_view why_baseline(Hazard hazard, LeaseTraits traits) {
    const HazardRow& row = row_of(hazard);
    switch (row.size) {
        case FaultSize::job:
            if (traits.renews) return {};
            return "A lease that nobody renews ends while a longer job is at work.";
        case FaultSize::pause:
            // With a stalled watchdog the worker still runs, and can see on its clock how long the
            // stall is.
            if (hazard == Hazard::stall) return {};
            return "A client that is stopped for longer than its lease cannot know, when it goes "
                   "on, that the lease is over, before it has written.";
        case FaultSize::clock:
            if (traits.checks_clocks) return {};
            return "A lease ends by a clock: where that is wrong it ends too early, or its holder "
                   "takes it for longer than it is.";
        case FaultSize::none:
        case FaultSize::delay:
        case FaultSize::reply_delay:
        case FaultSize::outage:
        case FaultSize::age:
        case FaultSize::takeover:
        case FaultSize::cut:
        case FaultSize::hang: break;
    }
    return why_of_loss(row.loss);
}

}  // namespace locklab
