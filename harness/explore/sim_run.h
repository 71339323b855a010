// Simulated runs of one specification: draw the fault plan, run to the end, give the history.
#pragma once

#include "harness/core/run_spec.h"
#include "harness/explore/recorded_choices.h"
#include "harness/sim/simulator.h"

namespace locklab {

/// What the simulator needs for this specification, without a plan.
SimConfig sim_config(const RunSpec& spec);

struct SimRun {
    History history;
    Picks picks;  ///< empty unless it was recorded
    std::uint64_t steps = 0;
    Probes probes;  ///< which rules it used
};

/// Runs one after another; a thread that wants to run has a runner of its own.
class SimRunner {
public:
    explicit SimRunner(const RunSpec& spec) : spec_(spec), config_(sim_config(spec)) {}

    /// From here on runs are of this specification.
    void change_to(const RunSpec& spec) {
        spec_ = spec;
        config_ = sim_config(spec);
    }

    /// Every pick, those of the fault plan first, comes from `choices`.
    SimRun run(Choices& choices);
    /// Run number `run` of the campaign with this seed.
    SimRun run(std::uint64_t seed, std::uint64_t run);
    /// The same; their histories tell who differs alone.
    SimRun run_taped(Choices& choices);
    SimRun run_taped(std::uint64_t seed, std::uint64_t run);
    /// The same with its picks.
    SimRun record(std::uint64_t seed, std::uint64_t run);

private:
    RunSpec spec_;
    SimConfig config_;
    ScriptEngine scripts_;
};

}  // namespace locklab
