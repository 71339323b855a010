#include "harness/explore/sim_run.h"

#include "harness/core/random_choices.h"

namespace locklab {

SimConfig sim_config(const RunSpec& spec) {
    LOCKLAB_ASSERT((!spec.budget.takes_over() || spec.topology.replicas > 0) &&
                   "a failover needs a replica (topology_for)");
    return {{spec}, spec, Latency::parse(spec.latency)};
}

SimRun SimRunner::run(Choices& choices) {
    config_.plan = draw_plan(spec_.budget, fault_scale(spec_), choices);
    Simulator simulator(config_, choices, scripts_);
    simulator.run();
    SimRun run;
    run.steps = simulator.steps();
    run.probes = simulator.cluster().probes();
    run.history = simulator.take_history();
    run.history.draw = draw_of(spec_);
    return run;
}

SimRun SimRunner::run(std::uint64_t seed, std::uint64_t number) {
    RandomChoices random(seed, number);
    SimRun result = run(random);
    result.history.seed = seed;
    result.history.run = number;
    return result;
}

SimRun SimRunner::run_taped(Choices& choices) {
    config_.taped = true;
    SimRun result = run(choices);
    config_.taped = false;
    return result;
}

SimRun SimRunner::run_taped(std::uint64_t seed, std::uint64_t number) {
    RandomChoices random(seed, number);
    SimRun result = run_taped(random);
    result.history.seed = seed;
    result.history.run = number;
    return result;
}

SimRun SimRunner::record(std::uint64_t seed, std::uint64_t number) {
    RandomChoices random(seed, number);
    RecordingChoices recorder(random);
    SimRun result = run(recorder);
    result.history.seed = seed;
    result.history.run = number;
    result.picks = recorder.picks();
    return result;
}

}  // namespace locklab
