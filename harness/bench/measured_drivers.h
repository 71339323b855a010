// The processes of one row of a driver benchmark: those of a library, or of one of our own locks,
// and one of the lock that it is like, for comparison. They start when first needed, and live
// through all repetitions, so that a runtime is warm.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "harness/bench/suites.h"
#include "harness/bench/workbench.h"
#include "harness/foreign/subject.h"
#include "harness/foreign/team.h"

namespace locklab {

class MeasuredDrivers {
public:
    /// `subject` must outlive it; `program` is a locklab executable, which runs our own locks as
    /// processes.
    MeasuredDrivers(const Subject& subject, const std::string& program);

    const Subject& subject() const { return subject_; }
    /// The lock of ours that it is like, or is.
    const Algorithm& like() const { return like_; }

    /// This many processes, each with fresh client objects, and one key for all of them. Throws
    /// std::runtime_error.
    Team& open(Workbench& bench, const LiveParameters& parameters, std::size_t clients);
    /// The same with one process of the lock that it is like.
    Team& open_like(Workbench& bench, const LiveParameters& parameters);
    /// If `what` throws, ends all processes, so that the next measurement starts fresh.
    void measure(const std::function<void()>& what);
    /// Kills all processes.
    void end();

private:
    const Subject& subject_;
    const Algorithm& like_;
    const Subject like_subject_;
    Team team_;
    Team like_team_;
};

}  // namespace locklab
