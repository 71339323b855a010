#include "harness/explore/sim_run.h"

#include "harness/core/random_choices.h"

namespace locklab {

namespace {

SimRun numbered(SimRun run, std::uint64_t seed, std::uint64_t number) {
    run.history.seed = seed;
    run.history.run = number;
    return run;
}

}  // namespace

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
    return numbered(run(random), seed, number);
}

SimRun SimRunner::run_taped(Choices& choices) {
    SimRunner taped(spec_);
    taped.config_.taped = true;
    return taped.run(choices);
}

SimRun SimRunner::run_taped(std::uint64_t seed, std::uint64_t number) {
    RandomChoices random(seed, number);
    return numbered(run_taped(random), seed, number);
}

SimRun SimRunner::record(std::uint64_t seed, std::uint64_t number) {
    RandomChoices random(seed, number);
    RecordingChoices recorder(random);
    SimRun result = numbered(run(recorder), seed, number);
    result.picks = recorder.picks();
    return result;
}

}  // namespace locklab
