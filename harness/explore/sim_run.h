// Simulated runs of one specification: draw the fault plan, run to the end, return the history.
#pragma once

#include "harness/core/run_spec.h"
#include "harness/explore/recorded_choices.h"
#include "harness/sim/simulator.h"

namespace locklab {

/// The simulator's configuration for this specification, without a plan.
SimConfig sim_config(const RunSpec& spec);

struct SimRun {
    History history;
    Picks picks;  ///< empty unless recorded
    std::uint64_t steps = 0;
    Probes probes;  ///< which rules of the cluster it used
};

/// Makes runs one after another. Each thread needs its own runner.
class SimRunner {
public:
    explicit SimRunner(const RunSpec& spec) : spec_(spec), config_(sim_config(spec)) {}

    /// Later runs are of this specification.
    void change_to(const RunSpec& spec) {
        spec_ = spec;
        config_ = sim_config(spec);
    }

    /// Every pick comes from `choices`, those of the fault plan first.
    SimRun run(Choices& choices);
    /// Run number `run` of the campaign with this seed.
    SimRun run(std::uint64_t seed, std::uint64_t run);
    /// The same; the history then tells whether a client acts differently when run alone.
    SimRun run_taped(Choices& choices);
    SimRun run_taped(std::uint64_t seed, std::uint64_t run);
    /// The same as run(), with its picks.
    SimRun record(std::uint64_t seed, std::uint64_t run);

private:
    RunSpec spec_;
    SimConfig config_;
    ScriptEngine scripts_;
};

}  // namespace locklab
